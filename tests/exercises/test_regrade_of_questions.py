"""A corrected question: responses are judged anew at once, and explanations are for a person."""

import pytest

from exercises.choices import Kind
from exercises.errors import RegradeImpossibleError
from exercises.queries import attempts_left, regrade_changes, regrade_due, regrade_progress
from exercises.services import apply_regrade_of, preview_regrade, submit
from graders.outcomes import Verdict
from tests.exercises.authoring import make_author
from tests.factories import make_course, make_exercise, make_member, publish_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


def test_responses_are_judged_at_once(course, author):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    right, wrong = (submit(make_member(course), exercise, response=response) for response in ("5", "6"))
    publish_version(exercise, kind=Kind.NUMERIC, definition={"answer": 6})

    regrade = preview_regrade(exercise, author=author)

    assert regrade_progress(regrade).is_judged
    assert {change.student for change in regrade_changes(regrade)} == {right.student, wrong.student}
    apply_regrade_of(regrade, author=author)
    assert wrong.gradings.get(in_force=True).verdict == Verdict.ACCEPTED


def test_explanations_are_reviewed_and_not_regraded(course, author):
    exercise = make_exercise(course, kind=Kind.EXPLAIN)
    submit(make_member(course), exercise, response="Because.")
    publish_version(exercise, kind=Kind.EXPLAIN)

    with pytest.raises(RegradeImpossibleError, match="A person judges this exercise"):
        preview_regrade(exercise, author=author)
    assert regrade_due(exercise) == 0


@pytest.mark.parametrize(("first", "anew", "left"), [("6", 6, 1), ("5", 6, 1), ("4", 6, 0)])
def test_attempt_that_a_broken_version_misjudged_is_given_back(course, author, first, anew, left):
    numeric = make_exercise(course, kind=Kind.NUMERIC, max_attempts=1)
    student = make_member(course)
    submit(student, numeric, response=first)
    publish_version(numeric, kind=Kind.NUMERIC, definition={"answer": anew})

    regrade = preview_regrade(numeric, author=author)
    assert attempts_left(student, numeric) == 0
    apply_regrade_of(regrade, author=author)

    assert attempts_left(student, numeric) == left
