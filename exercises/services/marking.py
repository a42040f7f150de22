"""Reviews beyond the first: alike answers at once, a second reader, and taking back what was given by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Lane, Reason, State
from exercises.errors import ReviewNotOpenError
from exercises.models import Course, Grading, Notice, Submission, User
from exercises.services.audit import record_action
from exercises.services.best_scores import refresh_best_score
from exercises.services.locks import lock_student
from exercises.services.notices import tell
from exercises.services.outcomes import publish_after_commit
from exercises.services.reviews import (
    further_review,
    open_grading,
    outcome_of_points,
    review,
    tell_of_review,
    write_review,
)
from exercises.services.rights import require_staff

UNDOABLE: Final = timedelta(hours=1)
MOST_ALIKE: Final = 1200


@transaction.atomic
def mark_beside(submission: Submission, *, reviewer: User, points: Mapping[str, Any], comment: str = "") -> Grading:
    """A second reader's points, beside those in force; nothing changes for the student.

    Raises:
        NotAllowedError: the reviewer is not staff of the course.
        ReviewNotOpenError: it is not judged yet, or by this same person.
        InvalidFieldError: points or comment have the wrong form.
    """
    require_staff(reviewer, submission.exercise.course)
    outcome = outcome_of_points(submission, points, comment=comment)
    grading = open_grading(submission)
    if grading.state != State.GRADED:
        raise ReviewNotOpenError("Nobody has read this yet: your points are the first.")
    if grading.reviewer_id == reviewer.pk:
        raise ReviewNotOpenError("Your own points are in force here: a second reader is somebody else.")
    return write_review(further_review(grading, in_force=False), outcome, reviewer)


@transaction.atomic
def put_review_in_force(grading: Grading, *, author: User) -> None:
    """Let this review stand in place of the one in force; the score follows, and the student is told.

    Raises:
        NotAllowedError: the author is not staff of the course.
        ReviewNotOpenError: it is no review.
    """
    submission = grading.submission
    require_staff(author, submission.exercise.course)
    lock_student(grading.student_id)
    if grading.lane != Lane.REVIEW or grading.state != State.GRADED:
        raise ReviewNotOpenError("This is no review that could stand.")
    if submission.gradings.filter(pk=grading.pk, in_force=True).exists():
        return
    _stand(grading)
    target = f"{submission.exercise.slug}: {submission.student}"
    details = {"receipt": submission.receipt, "reviewer": str(grading.reviewer or "")}
    record_action(
        submission.exercise.course, AuditAction.REVIEW_PUT_IN_FORCE, actor=author, target=target, details=details
    )
    tell_of_review(submission, grading, has_comment=False)


@transaction.atomic
def review_alike(
    submissions: Sequence[Submission], *, reviewer: User, points: Mapping[str, Any], comment: str = ""
) -> list[Grading]:
    """The same points and comment for each of these, which all wait; nothing is stored where one is refused.

    Raises:
        ReviewNotOpenError: there is none or there are too many, they answer several exercises, one does not wait any
            more, or as of `review`.
        InvalidFieldError: points or comment have the wrong form.
    """
    if not 0 < len(submissions) <= MOST_ALIKE:
        raise ReviewNotOpenError(f"Choose 1 to {MOST_ALIKE} answers.")
    if len({submission.exercise_id for submission in submissions}) > 1:
        raise ReviewNotOpenError("Answers to several exercises have no points in common.")
    waiting = Grading.objects.filter(submission__in=submissions, in_force=True, state=State.QUEUED, lane=Lane.REVIEW)
    if waiting.count() < len(submissions):
        raise ReviewNotOpenError("Somebody has read some of these meanwhile: look at the list again.")
    return [review(submission, reviewer=reviewer, points=points, comment=comment) for submission in submissions]


@transaction.atomic
def undo_reviews(course: Course, grading_ids: Iterable[int], *, author: User) -> int:
    """Take back one's own reviews of the last hour that are still in force; how many. What stood before stands again.

    Who was told and has not read it is told no more; the others are told that it was taken back.

    Raises:
        NotAllowedError: the author is not staff of the course.
    """
    require_staff(author, course)
    mine = Grading.objects.filter(
        pk__in=list(grading_ids),
        submission__exercise__course=course,
        reviewer=author,
        in_force=True,
        state=State.GRADED,
        finished_at__gt=timezone.now() - UNDOABLE,
    )
    gradings = list(mine.select_related("submission__version", "submission__exercise"))
    for grading in gradings:
        _undo(grading)
    if gradings:
        target = gradings[0].submission.exercise.slug
        details = {"reviews": len(gradings)}
        record_action(course, AuditAction.REVIEWS_UNDONE, actor=author, target=target, details=details)
    return len(gradings)


def _undo(grading: Grading) -> None:
    submission = grading.submission
    lock_student(grading.student_id)
    before = submission.gradings.filter(lane=Lane.REVIEW, state=State.GRADED, pk__lt=grading.pk).last()
    if before is not None and grading.reason == Reason.REVIEW:
        _stand(before)
        grading.delete()
    else:
        _reopen(grading)
    refresh_best_score(submission.student_id, submission.exercise_id)
    publish_after_commit(submission.topic)
    _untell(submission)


def _stand(grading: Grading) -> None:
    grading.submission.gradings.filter(in_force=True).update(in_force=False)
    grading.in_force = True
    grading.save(update_fields=["in_force"])
    refresh_best_score(grading.student_id, grading.submission.exercise_id)
    publish_after_commit(grading.topic)


def _reopen(grading: Grading) -> None:
    """Let it wait for a person again, as if nobody had read it."""
    grading.case_results.all().delete()
    grading.state, grading.verdict = State.QUEUED, ""
    grading.score = grading.max_score = grading.feedback = None
    grading.reviewer = grading.finished_at = None
    grading.save()


def _untell(submission: Submission) -> None:
    url = reverse("learn:submission", args=(submission.pk,))
    about = Notice.objects.filter(user=submission.student_id, url=url, text__contains="was judged by hand")
    unread, _by_model = about.filter(read_at=None).delete()
    if not unread:
        text = f"The review of “{submission.version.title}” was taken back: somebody reads it again."
        tell(submission.student_id, text, url=url)
