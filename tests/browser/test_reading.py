"""Explanations read by keyboard alone: points by number keys, a comment, saved, and on to the next one."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from exercises.choices import Kind
from exercises.models import Grading
from exercises.services import submit
from tests.factories import make_exercise, make_member

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_answers_are_read_by_keyboard_alone(demo, visit):
    exercise = make_exercise(demo.course, kind=Kind.EXPLAIN)
    answers = ("Since scores spread.", "No idea at all.")
    first, second = (submit(make_member(demo.course), exercise, response=text) for text in answers)
    page = visit(demo.instructor).page
    page.goto(reverse("teach:read-answer", args=("attention", exercise.slug, first.pk)))
    keys = page.keyboard

    keys.press("1")
    keys.press("2")
    expect(page.get_by_label("Names the softmax")).to_have_value("1")
    keys.press("2")
    expect(page.get_by_label("Names the softmax")).to_have_value("0")
    keys.press("c")
    keys.type("Which scores, 1 or 2?")
    keys.press("Control+Enter")

    expect(page.get_by_text("No idea at all.")).to_be_visible()
    keys.press("k")
    # What was read is no longer in the queue: there is nothing before.
    expect(page.get_by_text("No idea at all.")).to_be_visible()
    grading = Grading.objects.get(submission=first, in_force=True)
    assert (grading.score, grading.reviewer) == (2, demo.instructor)
    assert Grading.objects.get(submission=second).reviewer is None
