"""The smallest hidden case that failed is seen only by whom the exercise reveals it to."""

import pytest

from exercises.choices import Role
from exercises.models import BestScore
from exercises.queries import feedback_of, hand_ins_to_hidden_case, may_see_hidden_case
from exercises.services import RunFacts, give_up
from graders.outcomes import Verdict
from tests.factories import (
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_submission,
    publish_version,
)

pytestmark = pytest.mark.django_db

FAILED = make_outcome(verdict=Verdict.WRONG_ANSWER, score=1, hidden_case={"name": "a batch", "args": ["CANARY"]})


def exercise_with(reveal, course=None, **overrides):
    return make_exercise(course, definition={"reveal": reveal}, **overrides)


def hidden_case(submission, viewer=None):
    return feedback_of(submission.grading, viewer or submission.student)["hidden_case"]


@pytest.mark.parametrize("reveal", [None, {"after": 2, "at_closing": False}, {"after": None, "at_closing": True}])
def test_before_it_is_revealed_only_staff_see_it(reveal):
    submission = make_graded(exercise=exercise_with(reveal), outcome=FAILED)
    course = submission.exercise.course

    assert hidden_case(submission) is None
    assert hidden_case(submission, make_member(course, Role.ASSISTANT)) == FAILED.hidden_case
    assert hidden_case(submission, make_member(course, Role.INSTRUCTOR)) == FAILED.hidden_case


def test_after_so_many_hand_ins_all_of_them_show_it():
    exercise = exercise_with({"after": 2, "at_closing": False})
    student = make_member(exercise.course)

    first = make_graded(student, exercise, outcome=FAILED)
    assert hand_ins_to_hidden_case(student, exercise) == 1
    second = make_graded(student, exercise, outcome=FAILED)

    assert hand_ins_to_hidden_case(student, exercise) == 0
    assert hidden_case(first) == hidden_case(second) == FAILED.hidden_case


def test_hand_ins_that_do_not_count_and_those_of_others_reveal_nothing():
    exercise = exercise_with({"after": 2, "at_closing": False})
    student = make_member(exercise.course)
    submission = make_graded(student, exercise, outcome=FAILED, source="x = 1\n")
    make_graded(exercise=exercise, outcome=FAILED)
    make_submission(student, exercise, source="x = 1\n")
    make_graded(student, exercise, outcome=FAILED, facts=RunFacts(did_load=False))

    assert hidden_case(submission) is None
    assert hand_ins_to_hidden_case(student, exercise) == 1


def test_at_closing_it_shows_once_the_exercise_is_solved():
    exercise = exercise_with({"after": None, "at_closing": True})
    submission = make_graded(exercise=exercise, outcome=FAILED)

    make_graded(submission.student, exercise)

    assert BestScore.objects.get().solved_at is not None
    assert hidden_case(submission) == FAILED.hidden_case


def test_at_closing_it_shows_to_who_gave_up():
    exercise = exercise_with({"after": None, "at_closing": True}, make_course(self_paced=True))
    submission = make_graded(exercise=exercise, outcome=FAILED)

    give_up(submission.student, exercise)

    assert hidden_case(submission) == FAILED.hidden_case


def test_at_closing_it_shows_when_the_exercise_is_closed():
    exercise = exercise_with({"after": None, "at_closing": True})
    submission = make_graded(exercise=exercise, outcome=FAILED)

    exercise.is_retired = True

    assert may_see_hidden_case(submission.student, exercise)
    exercise.is_retired, exercise.published = False, None
    assert may_see_hidden_case(submission.student, exercise)


def test_what_is_published_now_holds_for_hand_ins_to_older_versions():
    exercise = exercise_with(None)
    submission = make_graded(exercise=exercise, outcome=FAILED)

    publish_version(exercise, definition={"reveal": {"after": 1, "at_closing": False}})

    submission.exercise.refresh_from_db()
    assert hidden_case(submission) == FAILED.hidden_case


def test_where_nothing_failed_nothing_is_shown():
    submission = make_graded(exercise=exercise_with({"after": 1, "at_closing": True}))

    assert hidden_case(submission) is None
