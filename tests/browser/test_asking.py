"""Asking from the page of an exercise, by keyboard alone; the word of staff in the inbox."""

import pytest
from playwright.sync_api import expect

from exercises.models import Question
from exercises.services import reply
from tests.browser.looks import LOOKS

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGE = "/courses/attention/exercises/scaled-dot-product-attention/"
LABEL = "What is unclear, or wrong?"


def opened(visitor):
    visitor.expect_error("404")  # the streams of events are another process's
    visitor.page.goto(PAGE)
    return visitor.page


def test_student_asks_by_keyboard_and_reads_the_answer(demo, visit):
    page = opened(visit(demo.student))
    page.locator("#ask summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Where does the 8 come from?")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator("#ask [role=status]")).to_be_focused()
    expect(page.locator("#ask form")).to_have_count(0)
    question = Question.objects.get()
    assert (question.text, question.kind) == ("Where does the 8 come from?", "question")

    reply(question, author=demo.instructor, text="From the width of the keys.")
    page.reload()
    page.get_by_role("navigation", name="Site", exact=True).get_by_role("link", name="Inbox 1 unread").click()
    page.get_by_role("button", name="was answered").click()
    expect(page.get_by_text("From the width of the keys.")).to_be_visible()


def test_refused_text_stays_in_the_form(demo, visit):
    visitor = visit(demo.student, **LOOKS["phone-dark"])
    visitor.expect_error("400")
    page = opened(visitor)
    page.locator("#ask summary").click()
    page.get_by_label(LABEL).fill("   ")
    assert visitor.violations() == []
    assert not visitor.is_wider_than_window()

    page.get_by_role("button", name="Report a fault").click()

    expect(page.locator("#ask-answer [role=alert]")).to_be_visible()
    expect(page.get_by_label(LABEL)).to_have_value("   ")
    assert not Question.objects.exists()
