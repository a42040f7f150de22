"""Hand-ins to assignments: on which terms they are taken."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from exercises.choices import Kind, Lane, RefusalReason, Role, State
from exercises.errors import (
    ExerciseClosedError,
    InvalidFieldError,
    KeyReusedError,
    NoAttemptsLeftError,
    NotOpenYetError,
    NotStartedError,
)
from exercises.models import Attempt, BestScore, Extension, Grading, Refusal, Submission
from exercises.queries import (
    assignment_score,
    attempts_left,
)
from exercises.services import submit
from graders.outcomes import Verdict
from tests.factories import make_assignment, make_exercise, make_lesson, make_member

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def numeric(course=None, **overrides):
    return make_exercise(course, kind=Kind.NUMERIC, **overrides)


def handed_in(student, exercise, at, response=5, **fields):
    with time_machine.travel(at, tick=False):
        return submit(student, exercise, response=response, **fields)


def test_hand_in_belongs_to_the_assignment_that_is_named():
    exercise = numeric()
    assignment = make_assignment(exercise, due_at=NOON)

    submission = handed_in(make_member(exercise.course), exercise, NOON, assignment=assignment.slug)

    assert (submission.assignment, submission.is_counted, submission.due_at) == (assignment, True, NOON)


def test_hand_in_without_a_name_belongs_to_the_one_that_ends_first():
    exercise = numeric()
    make_assignment(exercise, closes_at=NOON + 2 * DAY)
    first = make_assignment(exercise, closes_at=NOON + DAY)
    make_assignment(exercise, closes_at=NOON - DAY)

    assert handed_in(make_member(exercise.course), exercise, NOON).assignment == first


def test_exercise_of_no_assignment_stands_by_itself():
    exercise = numeric()
    make_assignment(numeric(exercise.course))

    submission = handed_in(make_member(exercise.course), exercise, NOON)

    assert (submission.assignment, submission.is_counted) == (None, True)


@pytest.mark.parametrize("name", ["nothing", "", 5, "a\0b", ["x"]])
def test_unknown_assignment_is_refused(name):
    exercise = numeric()

    with pytest.raises(InvalidFieldError) as caught:
        submit(make_member(exercise.course), exercise, response=5, assignment=name)

    assert caught.value.field == "assignment"
    assert not Submission.objects.exists()


def test_assignment_without_the_exercise_and_hidden_ones_are_unknown():
    exercise = numeric()
    other, hidden = make_assignment(numeric(exercise.course)), make_assignment(exercise, is_hidden=True)
    student = make_member(exercise.course)

    for assignment in (other, hidden):
        with pytest.raises(InvalidFieldError):
            submit(student, exercise, response=5, assignment=assignment.slug)


def test_before_it_opens_nothing_is_taken_and_all_is_kept():
    exercise = numeric()
    assignment = make_assignment(exercise, opens_at=NOON)
    student = make_member(exercise.course)

    with pytest.raises(NotOpenYetError):
        handed_in(student, exercise, NOON - SECOND, assignment=assignment.slug)

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.assignment, refusal.response) == (RefusalReason.NOT_OPEN, assignment, 5)
    assert refusal.at == NOON - SECOND
    assert handed_in(student, exercise, NOON, assignment=assignment.slug).is_counted


def test_after_closing_nothing_is_taken_that_was_meant_to_count():
    exercise = numeric()
    assignment = make_assignment(exercise, closes_at=NOON)
    student = make_member(exercise.course)
    handed_in(student, exercise, NOON - SECOND, assignment=assignment.slug)

    with pytest.raises(ExerciseClosedError):
        handed_in(student, exercise, NOON, assignment=assignment.slug)

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.assignment, refusal.at) == (RefusalReason.CLOSED, assignment, NOON)


def test_practice_after_closing_is_graded_and_never_counted():
    exercise = numeric(max_attempts=1)
    assignment = make_assignment(exercise, closes_at=NOON)
    student = make_member(exercise.course)
    handed_in(student, exercise, NOON - SECOND, response=4)

    practice = handed_in(student, exercise, NOON, response=5)

    assert (practice.is_counted, practice.assignment) == (False, None)
    assert practice.grading.verdict == Verdict.ACCEPTED
    assert not Attempt.objects.filter(submission=practice).exists()
    best = BestScore.objects.get()
    assert (best.score, best.solved_at, best.submissions) == (0, None, 1)
    assert assignment_score(assignment, student).points == 0


def test_practice_alone_makes_no_best_score():
    exercise = numeric()
    make_assignment(exercise, closes_at=NOON)

    handed_in(make_member(exercise.course), exercise, NOON)

    assert not BestScore.objects.exists()


def test_extension_opens_it_longer_for_one_student():
    exercise = numeric()
    assignment = make_assignment(exercise, closes_at=NOON)
    student, classmate = make_member(exercise.course), make_member(exercise.course)
    Extension.objects.create(assignment=assignment, student=student, closes_at=NOON + DAY)

    assert handed_in(student, exercise, NOON + DAY - SECOND).is_counted
    assert not handed_in(student, exercise, NOON + DAY).is_counted
    assert not handed_in(classmate, exercise, NOON).is_counted


def test_lesson_exercise_stands_by_itself_until_its_assignment_opens():
    exercise = numeric()
    make_lesson(exercise.course).embedded.create(exercise=exercise, position=0)
    make_assignment(exercise, opens_at=NOON)

    assert handed_in(make_member(exercise.course), exercise, NOON - SECOND).assignment is None


def test_other_exercise_is_refused_until_its_quiz_is_started():
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True)

    with pytest.raises(NotStartedError):
        handed_in(make_member(exercise.course), exercise, NOON)

    refusal = Refusal.objects.get()
    assert (refusal.reason, refusal.assignment) == (RefusalReason.NOT_STARTED, quiz)


def test_what_staff_hand_in_is_practice():
    exercise = numeric()
    assignment = make_assignment(exercise, opens_at=NOON)
    teacher = make_member(exercise.course, role=Role.INSTRUCTOR)

    assert not handed_in(teacher, exercise, NOON - DAY, assignment=assignment.slug).is_counted


def test_key_names_the_assignment_too():
    exercise = numeric()
    one, other = make_assignment(exercise), make_assignment(exercise)
    student = make_member(exercise.course)
    first = submit(student, exercise, response=5, assignment=one.slug, idempotency_key="key")

    assert submit(student, exercise, response=5, assignment=one.slug, idempotency_key="key") == first
    with pytest.raises(KeyReusedError):
        submit(student, exercise, response=5, assignment=other.slug, idempotency_key="key")


def test_attempts_are_those_of_the_assignment():
    exercise = numeric(max_attempts=5)
    assignment = make_assignment(exercise, max_attempts=2, closes_at=NOON)
    student = make_member(exercise.course)
    for response in (1, 2):
        handed_in(student, exercise, NOON - SECOND, response=response)

    with pytest.raises(NoAttemptsLeftError, match="All 2 attempts"):
        handed_in(student, exercise, NOON - SECOND, response=3)

    assert attempts_left(student, exercise, assignment=assignment) == 0
    assert attempts_left(student, exercise) == 5


def test_attempts_may_be_granted_and_else_are_the_exercises_own():
    exercise = numeric(max_attempts=1)
    assignment = make_assignment(exercise)
    student = make_member(exercise.course)
    Extension.objects.create(assignment=assignment, student=student, extra_attempts=2)

    assert attempts_left(student, exercise, assignment=assignment) == 3
    assert attempts_left(make_member(exercise.course), exercise, assignment=assignment) == 1


def test_late_hand_in_does_not_take_the_place_of_one_in_time():
    exercise = make_exercise(max_attempts=3)
    make_assignment(exercise, due_at=NOON, late_percent_per_day=10)
    student = make_member(exercise.course)
    with time_machine.travel(NOON, tick=False):
        submit(student, exercise, source="in_time = 1\n")

    with time_machine.travel(NOON + SECOND, tick=False):
        submit(student, exercise, source="late = 1\n")
    with time_machine.travel(NOON + 2 * SECOND, tick=False):
        submit(student, exercise, source="later = 1\n")

    states = {row.submission.source: row.state for row in Grading.objects.all()}
    assert states == {"in_time = 1\n": State.QUEUED, "late = 1\n": State.SUPERSEDED, "later = 1\n": State.QUEUED}
    assert set(Grading.objects.values_list("lane", flat=True)) == {Lane.SUBMISSION}
