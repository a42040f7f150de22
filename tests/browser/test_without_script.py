"""All kinds of exercise without JavaScript: what is asked can be read, answered and handed in."""

import pytest
from playwright.sync_api import expect

from exercises.choices import Kind
from exercises.models import Run, Submission
from tests.factories import make_course, make_exercise, make_member, right_response

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXTS = {Kind.NUMERIC: "5", Kind.TEXT: "Softmax", Kind.TENSOR: "1 0.5\n1/3 0", Kind.EXPLAIN: "They spread."}
OUTCOMES = {Kind.EXPLAIN: "Handed in", Kind.CODE: "Handed in", Kind.SCRIPT: "Handed in"}


def fill_gaps(page, right):
    for name, text in right.items():
        page.locator(f"[name='gap-{name}']").fill(str(text))


def choose_pairs(page, right):
    for left, option in right.items():
        page.locator(f"[name='pair-{left}']").select_option(option)


def choose_places(page, right):
    for place, (line, depth) in enumerate(right, start=1):
        page.locator(f"[name='place-{line}']").select_option(str(place))
        page.locator(f"[name='indent-{line}']").select_option(str(depth))


def choose(page, right):
    page.locator(f"[name=response][value='{right}']").check()


BY_CHOICES = {
    Kind.CHOICE: choose,
    Kind.BLANKS: fill_gaps,
    Kind.MATCHING: choose_pairs,
    Kind.ORDERING: choose_places,
}


def fill_in(page, student, exercise):
    """Put the right response into the form of the exercise; any source into that of code."""
    kind = exercise.published.kind
    if kind in BY_CHOICES:
        BY_CHOICES[kind](page, right_response(student, exercise))
    elif kind in TEXTS:
        page.locator("[name=response]").fill(TEXTS[kind])
    else:
        page.locator("[name=source]").fill(f"# {kind}\n")


def test_each_kind_is_answered_and_handed_in_without_a_script(transactional_db, visit):
    course = make_course()
    student = make_member(course)
    page = visit(student, javascript=False).page
    for kind in Kind:
        exercise = make_exercise(course, kind=kind, files={"starter.py": ""})
        page.goto(f"/courses/{course.slug}/exercises/{exercise.slug}/")
        fill_in(page, student, exercise)

        page.get_by_role("button", name="Submit").click()

        expect(page.locator(".submission-panel")).to_contain_text(OUTCOMES.get(kind, "Accepted"))
    assert Submission.objects.filter(student=student).count() == len(Kind)

    page.goto(f"/courses/{course.slug}/exercises/{exercise.slug}/")
    page.get_by_role("button", name="Run").click()

    expect(page.locator(".run-panel")).to_be_visible()
    assert Run.objects.filter(student=student).exists()
