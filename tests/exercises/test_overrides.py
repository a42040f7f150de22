"""A score that staff set by hand stands wherever a score is shown, until it is withdrawn."""

from decimal import Decimal

import pytest

from exercises.choices import AuditAction, Role, Shown
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import AuditEntry, BestScore, Notice, Override
from exercises.queries import assignment_score, course_progress
from exercises.services.overrides import set_override, withdraw_override
from graders.outcomes import Verdict
from tests.factories import make_assignment, make_course, make_exercise, make_graded, make_member, make_outcome

pytestmark = pytest.mark.django_db
WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(1))


@pytest.fixture
def exercise():
    return make_exercise(version={"points": Decimal(10), "title": "Softmax"})


@pytest.fixture
def student(exercise):
    return make_member(exercise.course, first_name="Ada")


@pytest.fixture
def teacher(exercise):
    return make_member(exercise.course, role=Role.INSTRUCTOR)


def give(exercise, student, teacher, score, **more):
    fields = {"reason": "The case was wrong.", **more}
    return set_override(exercise, student=student, author=teacher, score=Decimal(score), **fields)


def test_score_by_hand_takes_the_place_of_what_was_judged(exercise, student, teacher):
    submission = make_graded(student, exercise, outcome=WRONG)

    override = give(exercise, student, teacher, "7.5")

    best = BestScore.objects.get()
    assert (best.score, best.max_score, best.override) == (Decimal("7.5"), Decimal(10), override)
    assert (best.grading, best.verdict, best.solved_at) == (submission.grading, Verdict.WRONG_ANSWER, None)
    assert course_progress(student, exercise.course).exercises[0].best == best


def test_all_points_by_hand_solve_the_exercise_also_where_nothing_was_handed_in(exercise, student, teacher):
    override = give(exercise, student, teacher, 10)

    best = BestScore.objects.get()
    assert (best.grading, best.verdict, best.solved_at) == (None, Verdict.ACCEPTED, override.at)
    assert best.submissions == 0
    assert course_progress(student, exercise.course).solved == 1


def test_score_by_hand_outlives_a_better_hand_in(exercise, student, teacher):
    give(exercise, student, teacher, 0)

    make_graded(student, exercise)

    best = BestScore.objects.get()
    assert (best.score, best.verdict, best.solved_at, best.submissions) == (0, Verdict.WRONG_ANSWER, None, 1)


def test_withdrawn_score_gives_way_to_what_was_judged(exercise, student, teacher):
    make_graded(student, exercise, outcome=WRONG)
    override = give(exercise, student, teacher, 10)

    withdraw_override(override, author=teacher)
    withdraw_override(override, author=teacher)

    best = BestScore.objects.get()
    assert (best.score, best.max_score, best.override, best.solved_at) == (1, 4, None, None)
    assert AuditEntry.objects.filter(action=AuditAction.OVERRIDE_WITHDRAWN).count() == 1
    assert Notice.objects.first().text == "Your score of “Softmax” is again what was judged."


def test_withdrawn_score_of_nothing_leaves_nothing(exercise, student, teacher):
    withdraw_override(give(exercise, student, teacher, 10), author=teacher)

    assert not BestScore.objects.exists()


def test_later_score_takes_the_place_of_an_earlier_one_and_both_are_kept(exercise, student, teacher):
    give(exercise, student, teacher, 3)
    give(exercise, student, teacher, 4)

    assert list(Override.objects.filter(withdrawn_at=None).values_list("score", flat=True)) == [Decimal(4)]
    assert Override.objects.count() == 2
    details = AuditEntry.objects.first().details
    assert details == {"score": "4 of 10 points", "before": "3 of 10 points", "reason": "The case was wrong."}


def test_score_within_an_assignment_counts_there_alone(exercise, student, teacher):
    assignment = make_assignment(exercise)
    make_graded(student, exercise, outcome=WRONG)

    give(exercise, student, teacher, 9, assignment=assignment)

    assert assignment_score(assignment, student).points == Decimal(9)
    assert BestScore.objects.get().score == 1


def test_score_within_an_assignment_that_shows_nothing_yet_is_not_told(exercise, student, teacher):
    assignment = make_assignment(exercise, outcomes_shown=Shown.RELEASED)

    give(exercise, student, teacher, 9, assignment=assignment)

    assert Notice.objects.get().text == "Your score of “Softmax” was set by hand."


def test_student_is_told_and_the_record_says_who_for_whom_and_why(exercise, student, teacher):
    give(exercise, student, teacher, "7.5")

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.target) == ("override_set", teacher, f"{exercise.slug}: Ada")
    assert entry.details["reason"] == "The case was wrong."
    assert Notice.objects.get().text == "Your score of “Softmax” was set by hand: 7.5 of 10 points."


@pytest.mark.parametrize("score", ["-1", "10.01", "NaN"])
def test_score_outside_of_the_points_is_refused(exercise, student, teacher, score):
    with pytest.raises(InvalidFieldError) as caught:
        give(exercise, student, teacher, score)

    assert caught.value.field == "score"
    assert not Override.objects.exists()


@pytest.mark.parametrize("reason", ["", "  ", None, "x" * 2001, "\0"])
def test_reason_is_needed(exercise, student, teacher, reason):
    with pytest.raises(InvalidFieldError) as caught:
        give(exercise, student, teacher, 1, reason=reason)

    assert caught.value.field == "reason"


def test_only_instructors_of_the_course_set_and_withdraw(exercise, student, teacher):
    override = give(exercise, student, teacher, 1)
    assistant = make_member(exercise.course, role=Role.ASSISTANT)
    stranger = make_member(make_course(), role=Role.INSTRUCTOR)

    for person in (student, assistant, stranger):
        with pytest.raises(NotAllowedError):
            give(exercise, student, person, 2)
        with pytest.raises(NotAllowedError):
            withdraw_override(override, author=person)


def test_only_students_of_the_course_and_exercises_of_the_assignment(exercise, student, teacher):
    with pytest.raises(InvalidFieldError):
        give(exercise, make_member(make_course()), teacher, 1)
    with pytest.raises(InvalidFieldError):
        give(exercise, student, teacher, 1, assignment=make_assignment(make_exercise(exercise.course)))
