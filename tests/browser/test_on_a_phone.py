"""A phone: touch, no mouse, 360 px. What matters is in reach, and nothing is wider than the window."""

import pytest
from playwright.sync_api import expect

from exercises.models import Run, Submission
from tests.browser.demo import ATTENTION

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXERCISES = "/courses/attention/exercises/"
PHONE = {"width": 360, "height": 740, "phone": True}


@pytest.fixture
def visitor(demo, visit):
    demo.waiting.grading.delete()
    visitor = visit(demo.student, **PHONE)
    visitor.expect_error("404")  # the streams of events are another process's
    return visitor


def is_large_enough(button):
    box = button.bounding_box()
    return box["height"] >= 24 and box["width"] >= 24


def test_phone_finds_its_way_reads_answers_and_writes_code(visitor):
    page = visitor.page
    page.goto("/")
    page.locator("details.account summary").tap()
    page.get_by_role("navigation", name="Site, in the menu").get_by_role("link", name="Progress").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Progress")
    assert not visitor.is_wider_than_window()

    page.goto(f"{EXERCISES}one-weight/")
    page.get_by_label("Your number").fill("1/8")
    page.get_by_role("button", name="Submit", exact=True).tap()
    expect(page.locator(".submission-panel")).to_be_visible()
    assert not visitor.is_wider_than_window()

    page.goto(f"{EXERCISES}{ATTENTION}/")
    expect(page.locator(".cm-content")).to_be_visible()
    page.locator(".cm-content").tap()
    page.keyboard.insert_text("x = 1")
    # The row at the lower edge, above the keyboard, while one writes.
    run, submit = (page.locator(f"[data-dock={name}]") for name in ("run", "submit"))
    assert is_large_enough(run)
    assert is_large_enough(submit)
    run.tap()
    expect(page.locator(".run-panel")).to_be_visible()
    page.locator("[data-submit]").tap()
    expect(page.locator(".submission-panel")).to_contain_text("Handed in")
    assert not visitor.is_wider_than_window()
    assert "x = 1" in Run.objects.latest("pk").source
    assert "x = 1" in Submission.objects.latest("pk").source
