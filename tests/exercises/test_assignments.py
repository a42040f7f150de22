"""Hand-ins to assignments: on which terms they are taken, and what they bring."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from exercises.choices import Counted, Kind, Lane, RefusalReason, Role, State
from exercises.errors import (
    ExerciseClosedError,
    InvalidFieldError,
    KeyReusedError,
    NoAttemptsLeftError,
    NotOpenYetError,
    NotStartedError,
)
from exercises.models import Attempt, BestScore, Exercise, Extension, Grading, Override, Refusal, Submission
from exercises.queries import (
    assignment_score,
    assignment_scores,
    attempts_left,
    course_progress,
    due_assignments,
    exercise_for,
    is_over_for,
    may_view_solution,
    search,
    window_of,
)
from exercises.services import start_assignment, submit
from graders.outcomes import Verdict
from tests.factories import make_assignment, make_exercise, make_graded, make_lesson, make_member, make_outcome

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


def numeric(course=None, **overrides):
    return make_exercise(course, kind=Kind.NUMERIC, **overrides)


def handed_in(student, exercise, at, response=5, **fields):
    with time_machine.travel(at, tick=False):
        return submit(student, exercise, response=response, **fields)


def scoring(score):
    return make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(score), max_score=Decimal(4))


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


def graded_at(student, exercise, at, score):
    with time_machine.travel(at, tick=False):
        return make_graded(student, exercise, outcome=scoring(score))


def test_best_is_taken_after_what_being_late_costs():
    exercise = make_exercise()
    assignment = make_assignment(exercise, due_at=NOON, late_percent_per_day=25)
    student = make_member(exercise.course)
    in_time = graded_at(student, exercise, NOON, 3)
    graded_at(student, exercise, NOON + DAY + SECOND, 4)

    score = assignment_score(assignment, student)

    assert (score.points, score.max_points) == (Decimal("7.50"), 10)
    assert (score.items[0].submission, score.items[0].kept) == (in_time, 1)


def test_late_one_counts_where_it_is_worth_more():
    exercise = make_exercise()
    assignment = make_assignment(exercise, due_at=NOON, late_percent_per_day=10)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON, 3)
    late = graded_at(student, exercise, NOON + SECOND, 4)

    item = assignment_score(assignment, student).items[0]

    assert (item.points, item.submission, item.kept) == (Decimal("9.00"), late, Decimal("0.9"))


def test_last_counts_where_the_assignment_says_so():
    exercise = make_exercise()
    assignment = make_assignment(exercise, counted=Counted.LAST)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON, 4)
    graded_at(student, exercise, NOON + SECOND, 1)

    assert assignment_score(assignment, student).points == Decimal("2.50")


def test_extension_that_comes_afterwards_lifts_the_penalty():
    exercise = make_exercise()
    assignment = make_assignment(exercise, due_at=NOON, late_percent_per_day=50)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON + SECOND, 4)
    assert assignment_score(assignment, student).points == 5

    Extension.objects.create(assignment=assignment, student=student, due_at=NOON + DAY)

    assert assignment_score(assignment, student).points == 10


def test_points_of_an_assignment_are_rounded_once_for_each_exercise():
    course = make_exercise().course
    exercises = [make_exercise(course) for _ in range(2)]
    assignment = make_assignment(*exercises)
    assignment.items.update(points=Decimal("1.01"))
    student = make_member(course)
    for exercise in exercises:
        graded_at(student, exercise, NOON, 2)

    assert [item.points for item in assignment_score(assignment, student).items] == [Decimal("0.51")] * 2


def test_what_was_handed_in_elsewhere_brings_nothing():
    exercise = make_exercise()
    one, other = make_assignment(exercise, closes_at=NOON), make_assignment(exercise, opens_at=NOON)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON - SECOND, 4)

    assert assignment_score(one, student).points == 10
    assert assignment_score(other, student).points == 0


def test_override_stands_until_it_is_withdrawn():
    exercise = make_exercise()
    assignment = make_assignment(exercise)
    student = make_member(exercise.course)
    graded_at(student, exercise, NOON, 4)
    override = Override.objects.create(
        student=student, exercise=exercise, assignment=assignment, score=1, max_score=4, reason="copied"
    )
    item = assignment_score(assignment, student).items[0]
    assert (item.points, item.is_overridden) == (Decimal("2.50"), True)

    override.withdrawn_at = NOON
    override.save()

    assert assignment_score(assignment, student).points == 10


@pytest.mark.parametrize("size", [1, 3])
def test_scores_of_a_class_cost_the_same_for_any_size(size, django_assert_num_queries):
    exercise = make_exercise()
    assignment = make_assignment(exercise)
    students = [make_member(exercise.course) for _ in range(size)]
    for student in students:
        graded_at(student, exercise, NOON, 4)

    with django_assert_num_queries(6):
        scores = assignment_scores(assignment, [student.pk for student in students])

    assert [scores[student.pk].points for student in students] == [10] * size


def test_due_is_what_still_takes_something_the_most_urgent_first():
    exercise = numeric()
    later = make_assignment(exercise, due_at=NOON + 2 * DAY)
    sooner = make_assignment(exercise, closes_at=NOON + DAY)
    quiz = make_assignment(exercise, closes_at=NOON + 3 * DAY, is_quiz=True)
    for dates in ({}, {"closes_at": NOON}, {"opens_at": NOON + DAY, "due_at": NOON + 2 * DAY}):
        make_assignment(exercise, **dates)
    make_assignment(exercise, due_at=NOON + DAY, is_hidden=True)

    due = due_assignments(make_member(exercise.course), at=NOON)

    assert [assignment for assignment, _window in due] == [sooner, later, quiz]
    assert due_assignments(make_member(exercise.course, role=Role.ASSISTANT), at=NOON) == []


def test_exercise_is_over_once_its_assignments_are_closed():
    exercise = numeric()
    make_assignment(exercise, closes_at=NOON)
    student = make_member(exercise.course)
    handed_in(student, exercise, NOON - DAY)

    with time_machine.travel(NOON - SECOND, tick=False):
        assert not is_over_for(student, exercise)
        assert not may_view_solution(student, exercise)
    with time_machine.travel(NOON, tick=False):
        assert is_over_for(student, exercise)
        assert may_view_solution(student, exercise)


def met(student, exercise):
    """Whether the student meets the exercise by its page, in lists and by search; all of them or none."""
    course = exercise.course
    try:
        by_page = exercise_for(student, course.slug, exercise.slug) == exercise
    except Exercise.DoesNotExist:
        by_page = False
    listed = exercise in [item.exercise for item in course_progress(student, course).exercises]
    found = exercise.slug in [hit.slug for hit in search(student, exercise.published.title)]
    assert by_page == listed == found
    return by_page


@pytest.mark.parametrize(
    ("dates", "is_met"),
    [
        ({}, True),
        ({"opens_at": NOON + SECOND}, False),
        ({"opens_at": NOON}, True),
        ({"is_hidden": True}, False),
        ({"is_quiz": True}, False),
        ({"is_quiz": True, "closes_at": NOON + SECOND}, False),
        ({"is_quiz": True, "closes_at": NOON}, True),
        ({"closes_at": NOON}, True),
    ],
)
def test_exercise_is_met_once_an_assignment_lets_it_be(dates, is_met):
    exercise = numeric()
    make_assignment(exercise, **dates)

    with time_machine.travel(NOON, tick=False):
        assert met(make_member(exercise.course), exercise) == is_met
        assert met(make_member(exercise.course, role=Role.ASSISTANT), exercise)


def test_exercise_of_a_quiz_is_met_from_the_start_on():
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True)
    student = make_member(exercise.course)

    start_assignment(student, quiz)

    assert met(student, exercise)
    assert not met(make_member(exercise.course), exercise)


def test_exercise_of_a_quiz_stays_held_back_while_an_extension_runs():
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True, closes_at=NOON)
    student = make_member(exercise.course)
    Extension.objects.create(assignment=quiz, student=student, closes_at=NOON + DAY)

    with time_machine.travel(NOON, tick=False):
        assert not met(student, exercise)
    with time_machine.travel(NOON + DAY, tick=False):
        assert met(student, exercise)


@pytest.mark.parametrize(
    ("dates", "own"),
    [({}, {"due_at": NOON + DAY}), ({"closes_at": NOON + DAY, "due_at": NOON + DAY}, {"closes_at": NOON})],
)
def test_exercise_of_a_quiz_stays_held_back_until_it_is_due(dates, own):
    """It closes for nobody before it is due: else there were questions to see before the clock is started."""
    exercise = numeric()
    quiz = make_assignment(exercise, is_quiz=True, **{"closes_at": NOON, **dates})
    student = make_member(exercise.course)
    Extension.objects.create(assignment=quiz, student=student, **own)

    with time_machine.travel(NOON, tick=False):
        assert window_of(quiz, student).awaits_start(NOON)
        assert not met(student, exercise)
    with time_machine.travel(NOON + DAY, tick=False):
        assert met(student, exercise)


def test_exercise_in_a_lesson_or_in_another_open_assignment_is_met():
    exercise, other = numeric(), numeric()
    make_lesson(exercise.course).embedded.create(exercise=exercise, position=0)
    make_assignment(exercise, is_hidden=True)
    make_assignment(other, opens_at=NOON + 9999 * DAY)
    make_assignment(other)

    assert met(make_member(exercise.course), exercise)
    assert met(make_member(other.course), other)
