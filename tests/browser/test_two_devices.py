"""One draft on two devices: nothing that was written on either is lost."""

import re

import pytest
from playwright.sync_api import expect

from exercises.models import Draft

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPT = "/courses/attention/exercises/four-tokens/"
PHONE = {"width": 360, "height": 740, "phone": True}


def write(page, text):
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_second_device_asks_before_it_replaces_and_both_texts_can_be_put_back(demo, visit):
    laptop, phone = visit(demo.student), visit(None, **PHONE)
    phone.expect_error("409")
    phone.page.context.add_cookies(laptop.page.context.cookies())
    for device in (laptop, phone):
        device.expect_error("404")  # the streams of events are another process's
        device.page.goto(SCRIPT)
        expect(device.page.locator(".cm-content")).to_be_visible()
    write(laptop.page, "weights = 'laptop'")
    laptop.page.keyboard.press("Control+s")
    expect(laptop.page.locator("#saved")).to_have_text(re.compile(r"^saved \d"))

    write(phone.page, "weights = 'phone'")
    phone.page.keyboard.press("Control+s")
    expect(phone.page.locator("#stale")).to_be_visible()
    assert Draft.objects.get(exercise__slug="four-tokens").source == "weights = 'laptop'"
    phone.page.get_by_role("button", name="Open the newer one").tap()

    expect(phone.page.locator(".cm-content")).to_have_text("weights = 'laptop'")
    phone.page.reload()
    expect(phone.page.locator(".cm-content")).to_have_text("weights = 'laptop'")
    phone.page.get_by_role("button", name="Exchange it for this").tap()
    expect(phone.page.locator(".cm-content")).to_have_text("weights = 'phone'")
    kept = Draft.objects.get(exercise__slug="four-tokens")
    assert (kept.source, kept.set_aside) == ("weights = 'phone'", "weights = 'laptop'")
