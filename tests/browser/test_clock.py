"""The clock of a quiz: it speaks at a few moments, has the draft saved before its end, and is read without a script."""

import re

import pytest
from playwright.sync_api import expect

from exercises.models import Course, Draft, Submission
from tests.browser.assignments import assignment_page, exercise_of_quiz_page, quiz_page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MINUTE = 60_000
LISTEN = """() => {
  window.spoken = [];
  document.addEventListener("announce", (event) => window.spoken.push(event.detail));
}"""


def test_clock_speaks_at_thresholds_only(demo, visit):
    address = quiz_page(demo, is_started=True)
    page = visit(demo.student).page
    page.clock.install()
    page.goto(address)
    page.evaluate(LISTEN)

    page.clock.run_for(18 * MINUTE)
    assert page.evaluate("window.spoken") == []

    page.clock.run_for(13 * MINUTE)
    assert page.evaluate("window.spoken") == [
        "Time left: 10:00.",
        "Time left: 5:00.",
        "Time left: 1:00.",
        "Your time is over. What you saved last is handed in.",
    ]
    expect(page.locator("[data-clock-left]")).to_contain_text("Your time is over.")


def test_the_clock_of_the_course_is_read_out_where_it_differs_from_the_readers(demo, visit):
    page = visit(demo.student).page
    address = assignment_page(demo)
    here = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    there = page.locator(".page-head .moment").first

    Course.objects.update(time_zone=here)
    page.goto(address)
    expect(there).to_contain_text(f"({here})")

    Course.objects.update(time_zone="Pacific/Kiritimati")
    page.goto(address)
    expect(there).to_contain_text(re.compile(r"\(\w{3} \d+ .*, \d\d:\d\d Pacific/Kiritimati\)"))


def test_draft_is_saved_before_the_clock_ends(demo, visit):
    address = exercise_of_quiz_page(demo)
    visitor = visit(demo.student)
    visitor.expect_error("404")  # the streams of events are another process's
    page = visitor.page
    page.goto(address)
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("written = 'late'")

    with page.expect_response("**/draft/"):
        page.evaluate("document.dispatchEvent(new Event('clock-ending'))")

    assert "written = 'late'" in Draft.objects.get(student=demo.student).source


def test_what_was_typed_last_is_handed_in_when_the_student_ends_it(demo, visit):
    page = visit(demo.student).page
    page.goto(quiz_page(demo, is_started=True))
    page.get_by_label("Your number").fill("5")

    page.get_by_role("button", name="Hand in and end the quiz").click()

    expect(page.locator(".notices")).to_contain_text("What you wrote last is among it.")
    assert (
        Submission.objects.get(student=demo.student, exercise__slug="one-score", assignment__is_quiz=True).response
        == "5"
    )


def test_end_is_shown_without_a_script(demo, visit):
    page = visit(demo.student, javascript=False).page
    page.goto(quiz_page(demo, is_started=True))

    expect(page.locator("[data-clock]")).to_contain_text("Your time ends")
    expect(page.locator("[data-clock]")).to_contain_text("UTC")
