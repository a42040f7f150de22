"""The forms of questions in every look: untouched, after a wrong answer, waiting to be assessed or reviewed."""

import pytest

from exercises.choices import Role
from exercises.queries import response_form
from exercises.services import enrol, submit
from tests.browser.looks import LOOKED_AT, faults_of
from tests.factories import make_exercise, make_member, make_user

pytestmark = [pytest.mark.browser, pytest.mark.slow]
EXPLANATION = "One head has one row of weights.\n\nSo it hands over `one` blend:\n\n```\nweights @ value\n```"
WRONG = {
    "shape-of-split-heads": "(2, 10, 8, 64)",
    "equal-scores": [["1", "0", "0"], ["1/2", "1/2", "0"], ["1/2", "1/2", "0"]],
    "attention-in-gaps": {"turned": "view(d, n)", "root": "d", "axis": "-1", "divisor": "64"},
    "one-weight": "0.5",
    "why-several-heads": EXPLANATION,
}


def wrong_response(student, exercise):
    form = response_form(student, exercise)
    if "lines" in form:
        return [[line["id"], depth] for depth, line in enumerate(form["lines"][:4])]
    if "left" in form:
        return {left["id"]: form["right"][0]["id"] for left in form["left"]}
    return WRONG[exercise.slug]


@pytest.mark.parametrize("slug", [*WRONG, "who-does-what", "masked-attention-in-order"])
def test_form_has_no_fault_in_any_look(demo, visit, slug):
    exercise = demo.course.exercises.get(slug=slug)
    address = f"/courses/attention/exercises/{slug}/"
    visitor = visit(demo.student)
    untouched = faults_of(visitor, address, f"{slug}-untouched", ["phone"])
    submission = submit(demo.student, exercise, response=wrong_response(demo.student, exercise))
    answered = faults_of(visitor, address, slug)
    handed_in = faults_of(visitor, f"/submissions/{submission.pk}/", f"{slug}-submission", ["phone-dark"])

    assert untouched == {"phone": []}
    assert answered == {look: [] for look in LOOKED_AT}
    assert handed_in == {"phone-dark": []}


@pytest.mark.parametrize(
    "lesson",
    ["masks-and-causality", "several-heads", "positions", "norms-and-residuals", "a-block-and-training"],
)
def test_lesson_with_its_forms_has_no_fault_in_any_look(demo, visit, lesson):
    address = f"/courses/attention/lessons/{lesson}/"

    found = faults_of(visit(demo.student), address, lesson)

    assert found == {look: [] for look in LOOKED_AT}


def test_review_by_staff_has_no_fault_in_any_look(demo, visit):
    exercise = make_exercise(kind="explain")
    teacher = make_user(username="reader")
    enrol(teacher, exercise.course, role=Role.INSTRUCTOR)
    submission = submit(make_member(exercise.course), exercise, response=EXPLANATION)
    visitor = visit(teacher)

    review = faults_of(visitor, f"/submissions/{submission.pk}/", "review")
    reviews_of_class = faults_of(visitor, f"/teach/{exercise.course.slug}/", "class-reviews")

    assert review == reviews_of_class == {look: [] for look in LOOKED_AT}
