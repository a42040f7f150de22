"""What a student does within a lesson, with a worker played by the test."""

import re

import pytest
from playwright.sync_api import expect

from exercises.models import Run
from exercises.services import claim_next, record_run
from graders.outcomes import Verdict
from tests.browser.demo import FACTS, run_result

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LESSON = "/courses/attention/lessons/scaled-dot-product-attention/"


def test_snippet_is_edited_and_run_in_the_lesson(demo, visit):
    demo.waiting.grading.delete()
    visitor = visit(demo.student)
    visitor.expect_error("404")
    page = visitor.page
    page.goto(LESSON)
    snippet = page.locator(".snippet").first
    published = snippet.locator("pre.output")
    expect(published).to_be_visible()

    snippet.get_by_role("button", name="Edit snippet 1").click()
    expect(snippet.locator(".cm-content")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("print(42)")
    page.keyboard.press("Control+Enter")
    expect(snippet.locator(".run-panel")).to_be_visible()
    record_run(claim_next("test"), Verdict.ACCEPTED, result=run_result(), facts=FACTS)

    expect(snippet.locator(".run-panel")).to_contain_text("Tensors left")
    expect(published).to_be_hidden()
    assert Run.objects.latest("pk").source == "print(42)"

    snippet.get_by_role("button", name="Back to the original").click()
    expect(snippet.locator(".snippet-source")).to_be_visible()
    snippet.locator(".snippet-source").click()
    expect(snippet.locator(".cm-content")).to_be_focused()


def test_question_is_answered_in_the_lesson(demo, visit):
    visitor = visit(demo.student)
    page = visitor.page
    page.goto(LESSON)
    question = page.locator("#exercise-one-score")

    question.get_by_label("Your number").fill("5")
    question.get_by_role("button", name=re.compile("^Submit")).click()

    expect(question.locator(".submission-panel")).to_contain_text("Accepted")
    expect(page.locator("#announcer")).to_contain_text("Accepted. 1 of 1 points.")
