"""What staff do with one submission counts nowhere, until they put it in force."""

from decimal import Decimal

import pytest

from exercises.choices import AuditAction, Kind, Reason, Role, RunKind, State
from exercises.errors import (
    ExerciseClosedError,
    InvalidFieldError,
    NotAllowedError,
    RegradeImpossibleError,
    RegradeNotReadyError,
)
from exercises.models import Attempt, AuditEntry, BestScore, Grading, Notice, Run
from exercises.queries import run_for
from exercises.queries.regrades import submissions_due
from exercises.services import RunFacts, claim_next, erase_account, record_outcome, review, submit
from exercises.services.staff_runs import put_regrade_in_force, regrade_submission, return_attempt, start_staff_run
from graders.outcomes import Verdict
from tests.factories import (
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_regrade,
    publish_version,
)

pytestmark = pytest.mark.django_db
WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(1))


@pytest.fixture
def submission():
    return make_graded(outcome=WRONG)


@pytest.fixture
def assistant(submission):
    return make_member(submission.exercise.course, role=Role.ASSISTANT)


@pytest.fixture
def teacher(submission):
    return make_member(submission.exercise.course, role=Role.INSTRUCTOR)


def outsiders(submission):
    return submission.student, make_member(make_course(), role=Role.INSTRUCTOR)


def judged(grading, outcome):
    claim = claim_next("test")
    assert claim.id == grading.pk
    record_outcome(claim, outcome, facts=RunFacts())
    grading.refresh_from_db()
    return grading


def test_staff_run_is_a_run_of_its_own_and_no_attempt(submission, assistant):
    run = start_staff_run(submission, source="edited", author=assistant, version=submission.version)

    assert (run.kind, run.student, run.submission, run.source) == (RunKind.JUDGED, assistant, submission, "edited")
    assert (Grading.objects.count(), Attempt.objects.count()) == (1, 1)
    with pytest.raises(Run.DoesNotExist):
        run_for(assistant, run.pk)


def test_staff_run_is_for_staff_and_of_code(submission, assistant):
    for person in outsiders(submission):
        with pytest.raises(NotAllowedError):
            start_staff_run(submission, source="x", author=person, version=submission.version)
    with pytest.raises(InvalidFieldError):
        start_staff_run(submission, source="\0", author=assistant, version=submission.version)
    question = make_exercise(submission.exercise.course, kind=Kind.NUMERIC)
    answered = submit(submission.student, question, response="5")
    with pytest.raises(ExerciseClosedError):
        start_staff_run(answered, source="x", author=assistant, version=answered.version)


def test_regrade_of_one_changes_nothing_before_it_is_put_in_force(submission, assistant):
    corrected = publish_version(submission.exercise)

    grading = judged(regrade_submission(submission, author=assistant), make_outcome())

    assert (grading.version, grading.reason, grading.in_force) == (corrected, Reason.DRY_RUN, False)
    assert BestScore.objects.get().score == 1
    # A regrade of all would still judge it.
    assert list(submissions_due(submission.exercise, corrected)) == [submission]

    put_regrade_in_force(grading, author=assistant)

    assert BestScore.objects.get().score == 4
    assert Grading.objects.get(in_force=True) == grading
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.details["receipt"]) == (AuditAction.SUBMISSION_REGRADED, submission.receipt)
    assert Notice.objects.get().text.endswith("was judged anew: 4 of 4 points.")


def test_regrade_that_changes_nothing_says_so(submission, assistant):
    put_regrade_in_force(judged(regrade_submission(submission, author=assistant), WRONG), author=assistant)

    assert Notice.objects.get().text.endswith("1 of 4 points. Your score stays what it was.")


def test_regrade_under_way_is_not_made_twice(submission, assistant):
    first = regrade_submission(submission, author=assistant)

    assert regrade_submission(submission, author=assistant) == first
    assert first.state == State.QUEUED
    with pytest.raises(RegradeNotReadyError):
        put_regrade_in_force(first, author=assistant)


def test_regrade_of_one_is_for_staff_and_what_a_machine_judges(submission, assistant, teacher):
    grading = judged(regrade_submission(submission, author=assistant), make_outcome())
    for person in outsiders(submission):
        with pytest.raises(NotAllowedError):
            regrade_submission(submission, author=person)
        with pytest.raises(NotAllowedError):
            put_regrade_in_force(grading, author=person)
    put_regrade_in_force(grading, author=assistant)
    with pytest.raises(RegradeNotReadyError):
        put_regrade_in_force(grading, author=assistant)
    explain = make_exercise(submission.exercise.course, kind=Kind.EXPLAIN)
    explained = submit(submission.student, explain, response="So.")
    review(explained, reviewer=teacher, points={"Names the spread": 2, "Names the softmax": 1})
    with pytest.raises(RegradeImpossibleError):
        regrade_submission(explained, author=assistant)


def test_what_was_erased_is_neither_judged_anew_nor_run(submission, assistant):
    erase_account(submission.student, proof=submission.student.username)

    with pytest.raises(RegradeImpossibleError, match="was erased"):
        regrade_submission(submission, author=assistant)
    # As where the account was erased while somebody asked.
    grading = make_regrade(submission, reason=Reason.DRY_RUN, state=State.GRADED, verdict=Verdict.WRONG_ANSWER, score=0)
    with pytest.raises(RegradeImpossibleError, match="was erased"):
        put_regrade_in_force(grading, author=assistant)
    with pytest.raises(ExerciseClosedError, match="was erased"):
        start_staff_run(submission, source="x", author=assistant, version=submission.version)

    assert BestScore.objects.get().score == 1


def test_attempt_given_back_counts_no_longer(submission, teacher):
    return_attempt(submission, author=teacher, reason="The site was down.")

    assert Attempt.objects.get().given_back_because == "staff gave it back"
    assert AuditEntry.objects.get().details == {"receipt": submission.receipt, "reason": "The site was down."}
    assert submission.receipt in Notice.objects.get().text
    with pytest.raises(RegradeNotReadyError):
        return_attempt(submission, author=teacher, reason="Again.")


def test_attempt_is_given_back_by_instructors_with_a_reason(submission, assistant, teacher):
    for person in (assistant, *outsiders(submission)):
        with pytest.raises(NotAllowedError):
            return_attempt(submission, author=person, reason="So.")
    with pytest.raises(InvalidFieldError):
        return_attempt(submission, author=teacher, reason=" ")
