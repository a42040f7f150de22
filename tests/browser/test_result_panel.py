"""What one does with a result: copy a case, take a hand-in back, cancel a run, share code."""

import re

import pytest
from playwright.sync_api import expect

from exercises.choices import State
from exercises.models import Run, Submission
from exercises.services import submit
from tests.browser.demo import ATTENTION, RIGHT
from tests.browser.gallery import SOURCE, make_gallery

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def visitor(demo, visit):
    visitor = visit(demo.student)
    visitor.expect_error("404")  # the streams of events are another process's
    return visitor


def test_case_is_copied_as_a_snippet(demo, visitor):
    submission = make_gallery(demo.student, demo.course)
    page = visitor.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/submissions/{submission.pk}/")
    case = page.locator(".case").first
    case.get_by_text("Reproduce it elsewhere").click()

    case.get_by_role("button", name="Copy as a snippet").click()

    expect(page.locator("#announcer")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(SOURCE)
    assert "actual = attention(query, key, value)" in copied


def test_waiting_hand_in_is_taken_back_by_keyboard(demo, visitor):
    exercise = demo.course.exercises.get(slug=ATTENTION)
    submission = submit(demo.student, exercise, source=RIGHT + "\n\n")
    page = visitor.page
    page.goto(f"/submissions/{submission.pk}/")
    page.get_by_role("button", name="Take back").focus()

    page.keyboard.press("Enter")

    panel = page.locator(".submission-panel")
    expect(panel).to_contain_text("You took it back before it was judged.")
    expect(panel).to_be_focused()
    expect(page.locator("#announcer")).to_have_text(re.compile("^Not judged. You took it back"))
    assert Submission.objects.get(pk=submission.pk).grading.state == State.SUPERSEDED


def test_waiting_run_is_cancelled(demo, visitor):
    page = visitor.page
    page.goto("/playground/")
    expect(page.locator(".cm-content")).to_be_visible()
    page.keyboard.press("Control+Enter")
    panel = page.locator(".run-panel")
    expect(panel).to_contain_text("Waiting: next in the queue")

    panel.get_by_role("button", name="Cancel").click()

    expect(panel).to_contain_text("You cancelled it before it was done.")
    expect(page.locator("[data-live]")).to_have_count(0)
    assert Run.objects.latest("pk").state == State.SUPERSEDED


def test_code_is_shared_and_opened_without_touching_ones_own(demo, visitor):
    page = visitor.page
    page.goto("/playground/")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("print('shared')")
    page.get_by_role("button", name="Share as a link").click()
    link = page.get_by_label("Link to this code").input_value()
    assert not Run.objects.filter(source="print('shared')").exists()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("print('my own')")

    page.goto(link)
    expect(page.locator(".cm-content")).to_have_text("print('shared')")
    expect(page.locator("main")).to_contain_text("Read it before you run it")
    page.goto("/playground/")

    expect(page.locator(".cm-content")).to_have_text("print('my own')")
