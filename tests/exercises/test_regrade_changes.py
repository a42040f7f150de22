"""Who gains and who loses by a regrade, as the best scores have it."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from exercises.choices import AuditAction, Reason, State
from exercises.models import AuditEntry, BestScore, Grading, Notice, Regrade, Submission
from exercises.queries import regrade_changes, regrade_summary
from exercises.services import apply_regrade_of, preview_regrade
from exercises.services.overrides import set_override, withdraw_override
from graders.outcomes import Verdict
from tests.exercises.authoring import make_author
from tests.exercises.regrading import (
    best_scores,
    changes_of,
    judged_preview,
    scoring,
    three_handed_in,
    with_cases,
    work_off,
)
from tests.factories import (
    make_assignment,
    make_course,
    make_exercise,
    make_graded,
    make_regrade,
    publish_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course):
    return make_author(course)


@pytest.fixture
def exercise(course):
    return make_exercise(course, version={"title": "Double it", "points": 10})


@pytest.fixture
def handed_in(exercise):
    return three_handed_in(exercise)


@pytest.fixture
def regrade(exercise, author, handed_in):
    return judged_preview(exercise, author, handed_in)


def test_change_names_the_first_case_that_is_judged_differently(exercise, author):
    accepted, wrong = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
    submission = make_graded(exercise=exercise, outcome=with_cases(accepted, wrong, wrong))
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=author)
    work_off({submission.pk: with_cases(accepted, wrong, accepted, accepted)})

    assert regrade_changes(regrade)[0].why == "wrong answer → wrong answer, first in “case 2”"


def test_change_names_a_case_that_is_gone_where_no_other_differs(exercise, author):
    accepted, wrong = Verdict.ACCEPTED, Verdict.WRONG_ANSWER
    submission = make_graded(exercise=exercise, outcome=with_cases(accepted, wrong))
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=author)
    work_off({submission.pk: with_cases(accepted)})

    assert regrade_changes(regrade)[0].case == "case 1"


def test_best_may_come_from_another_submission_afterwards(exercise, author):
    first = make_graded(exercise=exercise, outcome=scoring(4))
    second = make_graded(first.student, exercise, outcome=scoring(2))
    publish_version(exercise)
    third = make_graded(first.student, exercise, outcome=scoring(1))
    regrade = preview_regrade(exercise, author=author)
    work_off({first.pk: scoring(0), second.pk: scoring(3)})

    (change,) = regrade_changes(regrade)

    assert (change.before, change.decisive.submission) == (first.grading, first)
    assert (change.after.submission, change.after.score) == (second, 3)
    assert regrade.gradings.filter(submission=third).count() == 0
    apply_regrade_of(regrade, author=author)
    assert (best_scores(), regrade_changes(regrade)) == ([3], [change])


def test_student_who_keeps_the_best_score_by_another_submission_is_not_in_the_list(exercise, author):
    first = make_graded(exercise=exercise, outcome=scoring(2))
    publish_version(exercise)
    make_graded(first.student, exercise, outcome=scoring(3))
    regrade = preview_regrade(exercise, author=author)
    work_off({first.pk: scoring(0)})

    assert regrade_changes(regrade) == []
    apply_regrade_of(regrade, author=author)
    assert Notice.objects.get().text.endswith("Your score stays at 3 of 4 points.")


def test_practice_changes_nothing_and_is_no_reason(exercise, author):
    counted = make_graded(exercise=exercise, outcome=scoring(2))
    practice = make_graded(counted.student, exercise, outcome=scoring(4))
    alone = make_graded(exercise=exercise, outcome=scoring(1))
    Submission.objects.filter(pk__in=(practice.pk, alone.pk)).update(is_counted=False)
    publish_version(exercise)
    regrade = preview_regrade(exercise, author=author)
    work_off({counted.pk: scoring(3), practice.pk: scoring(0), alone.pk: scoring(4)})

    (change,) = regrade_changes(regrade)
    apply_regrade_of(regrade, author=author)

    assert (change.student, change.before.score, change.after.score) == (counted.student, 2, 3)
    assert {name: regrade_summary(regrade)[name] for name in ("gain", "lose", "gradings")} == {
        "gain": 1,
        "lose": 0,
        "gradings": 3,
    }


def test_score_by_hand_stays_and_is_no_gain(exercise, author, regrade, handed_in):
    gains, loses, _ = (submission.student for submission in handed_in)
    exercise.refresh_from_db()
    by_hand = {"author": author, "reason": "Agreed.", "score": Decimal(5)}
    set_override(exercise, student=gains, **by_hand)
    withdraw_override(set_override(exercise, student=loses, **by_hand), author=author)
    assignment = make_assignment(exercise)
    set_override(exercise, student=loses, assignment=assignment, **by_hand)

    preview = changes_of(regrade)
    applied = apply_regrade_of(regrade, author=author)
    set_override(exercise, student=loses, **by_hand)

    assert (preview, changes_of(applied)) == ([(loses, Decimal("-2.50"))], preview)
    details = AuditEntry.objects.get(action=AuditAction.REGRADE_APPLIED).details
    assert (details["gain"], details["lose"]) == (0, 1)
    assert BestScore.objects.get(student=gains).score == 5


def test_number_of_queries_does_not_grow_with_students(exercise, author, regrade, django_assert_num_queries):
    with CaptureQueriesContext(connection) as before:
        assert len(regrade_changes(Regrade.objects.get(pk=regrade.pk))) == 2
    for _ in range(3):
        make_regrade(make_graded(exercise=exercise, outcome=scoring(1)), regrade=regrade, reason=Reason.DRY_RUN)
    for grading in regrade.gradings.filter(state=State.QUEUED):
        Grading.objects.filter(pk=grading.pk).update(instead_of=grading.submission.grading)
    work_off(dict.fromkeys(regrade.gradings.values_list("submission_id", flat=True), scoring(4)))

    with django_assert_num_queries(len(before)):
        assert len(regrade_changes(Regrade.objects.get(pk=regrade.pk))) == 5
