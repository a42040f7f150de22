"""The whole path in a browser, on real parts: from signing in to the class page. `SHOTS` names a folder to keep
screenshots of it in.
"""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.visits import Visitor
from tests.product import PASSWORD, RIGHT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.browser, pytest.mark.enable_socket]

SOONER_OR_LATER = 20_000
KILOBYTE = 1000
EXERCISE_BYTES, LESSON_BYTES = 420 * KILOBYTE, 220 * KILOBYTE
WRONG = RIGHT.replace(" / math.sqrt(query.shape[-1])", "")


@pytest.fixture
def visit(browser, product):
    visitors = []

    def sign_in(username):
        visitor = Visitor(browser, product.base)
        visitors.append(visitor)
        visitor.page.goto("/account/login/")
        visitor.page.get_by_label("Username").fill(username)
        visitor.page.get_by_label("Password").fill(PASSWORD)
        visitor.page.get_by_role("button", name="Sign in").click()
        expect(visitor.page.get_by_role("heading", level=1)).to_contain_text("Hello")
        return visitor.page

    yield sign_in
    for visitor in visitors:
        assert visitor.complaints == []
        visitor.close()


def keep(page, name):
    if folder := os.environ.get("SHOTS"):
        page.wait_for_timeout(300)
        page.screenshot(path=Path(folder) / f"{name}.png")


def run_a_snippet(page):
    page.get_by_role("link", name="Read it").click()
    page.get_by_role("button", name="Run snippet 1").click()
    expect(page.locator("#snippet-0-result .panel")).to_contain_text("Tensors left", timeout=SOONER_OR_LATER)
    page.locator("#snippet-0-result").scroll_into_view_if_needed()
    keep(page, "lesson")


def answer_the_choice(page):
    question = page.locator("#exercise-why-divide-by-sqrt-d")
    question.get_by_role("radio", name=re.compile("spread")).check()
    question.get_by_role("button", name="Submit").click()
    expect(question).to_contain_text("Accepted")


def write_the_function(page, source):
    """By keyboard alone, once the editor has the focus."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(source)
    page.keyboard.press("Control+Shift+Enter")


def test_student_learns_and_instructor_sees_it(visit):
    student = visit("student")
    keep(student, "home")

    run_a_snippet(student)
    answer_the_choice(student)
    student.locator("#exercise-scaled-dot-product-attention").get_by_role("link", name="Open the editor").click()
    write_the_function(student, WRONG)
    outcome = student.locator("#outcome")
    expect(outcome).to_contain_text("√d", timeout=SOONER_OR_LATER)
    keep(student, "exercise")
    write_the_function(student, RIGHT)
    expect(outcome.locator(".panel-head")).to_contain_text("Accepted", timeout=SOONER_OR_LATER)
    expect(outcome).to_contain_text(re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}"))
    student.goto("/progress/")
    expect(student.locator("main")).to_contain_text(re.compile(r"2 of \d+"))
    keep(student, "progress")

    instructor = visit("instructor")
    instructor.goto("/teach/attention/matrix/")
    row = instructor.get_by_role("row", name=re.compile("^student"))
    expect(row.get_by_role("link", name=re.compile(r"\bSolved\b"))).to_have_count(2)
    keep(instructor, "class")


class Traffic:
    """What a page loads: bytes as they came, compressed, and the addresses."""

    def __init__(self, page):
        self.bytes, self.addresses = 0, []
        session = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", self._add)
        session.on("Network.requestWillBeSent", lambda event: self.addresses.append(event["request"]["url"]))
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})

    def _add(self, event):
        self.bytes += int(event["encodedDataLength"])

    @property
    def has_editor(self):
        return any("/editor" in address for address in self.addresses)


def test_first_loads_are_small_and_the_editor_comes_on_touch(visit, record_property):
    page = visit("instructor")
    lesson = Traffic(page)
    page.goto("/courses/attention/lessons/scaled-dot-product-attention/", wait_until="networkidle")
    of_lesson, came_at_once = lesson.bytes, lesson.has_editor
    page.locator(".snippet-source").first.click()
    expect(page.locator(".cm-content").first).to_be_focused()
    came_on_touch = lesson.has_editor

    exercise = Traffic(page)
    page.goto("/courses/attention/exercises/scaled-dot-product-attention/", wait_until="networkidle")
    expect(page.locator(".cm-content")).to_be_visible()

    figures = f"lesson {of_lesson / KILOBYTE:.0f} kB, exercise {exercise.bytes / KILOBYTE:.0f} kB"
    record_property("figures", figures)
    assert (came_at_once, came_on_touch) == (False, True)
    assert 0 < of_lesson <= LESSON_BYTES, figures
    assert 0 < exercise.bytes <= EXERCISE_BYTES, figures
