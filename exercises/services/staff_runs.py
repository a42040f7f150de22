"""What staff do with one submission to find out why it was refused: run a copy of it, and judge it anew."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import reverse

from exercises.choices import AuditAction, Lane, Reason, RunKind, State
from exercises.errors import ExerciseClosedError, RegradeNotReadyError
from exercises.models import Attempt, BestScore, ExerciseVersion, Grading, Run, Submission, User
from exercises.queries.withheld import withheld_from
from exercises.services.attempts import give_back_attempt
from exercises.services.audit import record_action
from exercises.services.locks import lock_student
from exercises.services.notices import tell
from exercises.services.reasons import checked_reason
from exercises.services.regrades import apply_regrade, queue_regrade
from exercises.services.rights import require_instructor, require_staff
from exercises.services.runs import queue_run
from exercises.services.sources import checked_source


@transaction.atomic
def start_staff_run(submission: Submission, *, source: Any, author: User, version: ExerciseVersion) -> Run:
    """Queue a run of this text through all cases of the version, hidden ones too; it counts nowhere.

    Raises:
        NotAllowedError: the author is not staff of the course.
        ExerciseClosedError: it is no code, or it was erased.
        InvalidFieldError: the source has the wrong form.
        TooManyRunsError: the author has one run under way and one waiting.
    """
    require_staff(author, submission.exercise.course)
    if not version.is_code:
        raise ExerciseClosedError("This exercise has nothing to run.")
    if submission.is_erased:
        raise ExerciseClosedError("What was handed in was erased: there is nothing to run.")
    text = checked_source(source)
    return queue_run(
        Run(student=author, kind=RunKind.JUDGED, lane=Lane.RUN, source=text, version=version, submission=submission)
    )


@transaction.atomic
def regrade_submission(submission: Submission, *, author: User) -> Grading:
    """Have the submission judged anew by the version that is published; nothing changes before it is put in force.

    One that is under way already is answered with.

    Raises:
        NotAllowedError: the author is not staff of the course.
        RegradeImpossibleError: this version cannot judge it, a person does, or it was erased.
    """
    require_staff(author, submission.exercise.course)
    lock_student(submission.student_id)
    submission.refresh_from_db(fields=["source", "response", "seed", "body_hash"])
    version = submission.exercise.published or submission.version
    earlier = submission.gradings.filter(version=version, regrade=None, reason=Reason.DRY_RUN).last()
    if earlier is not None and earlier.state in (State.QUEUED, State.RUNNING):
        return earlier
    return queue_regrade(submission, version, is_dry=True)


@transaction.atomic
def put_regrade_in_force(grading: Grading, *, author: User) -> None:
    """Let a single regrade take effect: the score follows, and the student is told where it changed.

    Raises:
        NotAllowedError: the author is not staff of the course.
        RegradeNotReadyError: it has no outcome that could be scored, or is in force or part of a larger regrade.
        RegradeImpossibleError: what was handed in was erased.
    """
    submission = grading.submission
    require_staff(author, submission.exercise.course)
    lock_student(submission.student_id)
    grading.refresh_from_db(fields=["in_force", "reason"])
    if grading.in_force or grading.regrade_id is not None or grading.reason != Reason.DRY_RUN:
        raise RegradeNotReadyError("There is nothing here that could take effect.")
    best = BestScore.objects.filter(student=submission.student_id, exercise=submission.exercise_id)
    before = best.values_list("score", "max_score").first()
    apply_regrade(grading)
    details = {"receipt": submission.receipt, "version": grading.version.number, "verdict": grading.verdict}
    target = f"{submission.exercise.slug}: {submission.student}"
    record_action(
        submission.exercise.course, AuditAction.SUBMISSION_REGRADED, actor=author, target=target, details=details
    )
    after = best.values_list("score", "max_score").first()
    _tell_regraded(submission, grading, has_changed=before != after)


@transaction.atomic
def return_attempt(submission: Submission, *, author: User, reason: Any) -> None:
    """Count the submission no longer against the limit of attempts; its student is told.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        RegradeNotReadyError: it counts as no attempt.
        InvalidFieldError: there is no reason.
    """
    course = submission.exercise.course
    require_instructor(author, course)
    said = checked_reason(reason)
    lock_student(submission.student_id)
    if not Attempt.objects.filter(submission=submission, given_back_at=None).exists():
        raise RegradeNotReadyError("This submission counts as no attempt.")
    give_back_attempt(submission.pk, because="staff gave it back")
    target = f"{submission.exercise.slug}: {submission.student}"
    details = {"receipt": submission.receipt, "reason": said}
    record_action(course, AuditAction.ATTEMPT_GIVEN_BACK, actor=author, target=target, details=details)
    text = f"An attempt at “{submission.version.title}” was given back to you: submission {submission.receipt}."
    tell(submission.student_id, text, url=reverse("learn:submission", args=(submission.pk,)))


def _tell_regraded(submission: Submission, grading: Grading, *, has_changed: bool) -> None:
    is_shown = not withheld_from(submission.student).hides(grading)
    assert grading.score is not None
    assert grading.max_score is not None
    points = f": {grading.score.normalize():f} of {grading.max_score.normalize():f} points" if is_shown else ""
    after = "" if has_changed or not is_shown else " Your score stays what it was."
    text = f"Your submission {submission.receipt} of “{submission.version.title}” was judged anew{points}.{after}"
    tell(submission.student_id, text, url=reverse("learn:submission", args=(submission.pk,)))
