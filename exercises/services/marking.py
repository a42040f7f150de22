"""Reviews beyond the first: alike answers at once, a second reader, and taking back what was given by mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Lane, State
from exercises.errors import ReviewNotOpenError
from exercises.models import Course, Grading, Notice, Submission, User
from exercises.services.audit import record_action
from exercises.services.locks import lock_student, lock_students
from exercises.services.notices import tell
from exercises.services.outcomes import follow_best_score, publish_after_commit
from exercises.services.reviews import (
    further_review,
    give_review,
    open_grading,
    outcome_of_points,
    require_reviewer,
    tell_of_review,
    write_review,
)
from exercises.services.rights import require_staff
from graders.outcomes import Outcome

UNDOABLE: Final = timedelta(hours=1)
MOST_ALIKE: Final = 300
AT_ONCE: Final = 25
"""In a transaction: a good quarter of a second on SQLite, where all that is handed in waits for it."""


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
    grading.refresh_from_db()
    if grading.lane != Lane.REVIEW or grading.state != State.GRADED:
        raise ReviewNotOpenError("This is no review that could stand.")
    standing = submission.gradings.filter(in_force=True).first()
    if standing == grading:
        return
    grading.instead_of = standing
    _stand(grading, submission)
    target = f"{submission.exercise.slug}: {submission.student}"
    details = {"receipt": submission.receipt, "reviewer": str(grading.reviewer or "")}
    record_action(
        submission.exercise.course, AuditAction.REVIEW_PUT_IN_FORCE, actor=author, target=target, details=details
    )
    tell_of_review(submission, grading, has_comment=False)


def review_alike(
    submissions: Sequence[Submission], *, reviewer: User, points: Mapping[str, Any], comment: str = ""
) -> list[Grading]:
    """The same points and comment for each of these, which all wait; nothing is stored where one is refused.

    They are stored in batches, each a transaction of its own, so that nobody's hand-in waits for all of them. What
    somebody else has read by then stays as they judged it, and is not among what comes back.

    Raises:
        ReviewNotOpenError: there is none or there are too many, they answer several exercises, one does not wait any
            more, or as of `review`.
        InvalidFieldError: points or comment have the wrong form.
    """
    if not 0 < len(submissions) <= MOST_ALIKE:
        raise ReviewNotOpenError(f"Choose 1 to {MOST_ALIKE} answers.")
    if len({submission.exercise_id for submission in submissions}) > 1:
        raise ReviewNotOpenError("Answers to several exercises have no points in common.")
    require_reviewer(reviewer, submissions[0].exercise.course)
    versions = {submission.version_id: submission for submission in submissions}
    outcomes = {pk: outcome_of_points(one, points, comment=comment) for pk, one in versions.items()}
    if _waiting(submissions).count() < len(submissions):
        raise ReviewNotOpenError("Somebody has read some of these meanwhile: look at the list again.")
    batches = (submissions[start : start + AT_ONCE] for start in range(0, len(submissions), AT_ONCE))
    given = (_review_batch(batch, outcomes, reviewer, comment=comment) for batch in batches)
    return list(chain.from_iterable(given))


def undo_reviews(course: Course, grading_ids: Iterable[int], *, author: User) -> int:
    """Take back one's own reviews of the last hour that are still in force; how many. What stood before stands again.

    Who was told and has not read it is told no more; the others are told that it was taken back. What was written by
    a person whose account is erased stays as it was judged: nobody could read it again. They go in batches as well.

    Raises:
        NotAllowedError: the author is not staff of the course.
    """
    require_staff(author, course)
    ids = sorted(set(grading_ids))
    return sum(_undo_batch(course, ids[start : start + AT_ONCE], author) for start in range(0, len(ids), AT_ONCE))


@transaction.atomic
def _review_batch(
    submissions: Sequence[Submission], outcomes: Mapping[int, Outcome], reviewer: User, *, comment: str
) -> list[Grading]:
    lock_students(submission.student_id for submission in submissions)
    # Asked again under the lock: another reader may have been quicker.
    waiting = list(
        _waiting(submissions).select_related(
            "student", "version", "submission__exercise", "submission__version", "submission__student"
        )
    )
    return [
        give_review(grading, outcomes[grading.submission.version_id], reviewer, comment=comment) for grading in waiting
    ]


def _waiting(submissions: Sequence[Submission]) -> QuerySet[Grading]:
    return Grading.objects.filter(submission__in=submissions, in_force=True, state=State.QUEUED, lane=Lane.REVIEW)


@transaction.atomic
def _undo_batch(course: Course, grading_ids: Sequence[int], author: User) -> int:
    mine = Grading.objects.filter(
        pk__in=grading_ids,
        submission__exercise__course=course,
        reviewer=author,
        in_force=True,
        state=State.GRADED,
        finished_at__gt=timezone.now() - UNDOABLE,
    ).exclude(submission__body_hash="")
    lock_students(mine.values_list("student_id", flat=True))
    # Only now: before, another review may have taken their place.
    gradings = list(mine.select_related("submission__version", "submission__exercise", "instead_of"))
    for grading in gradings:
        _undo(grading)
    if gradings:
        target = gradings[0].submission.exercise.slug
        details = {"reviews": len(gradings)}
        record_action(course, AuditAction.REVIEWS_UNDONE, actor=author, target=target, details=details)
    return len(gradings)


def _undo(grading: Grading) -> None:
    submission = grading.submission
    if grading.instead_of is not None:
        _stand(grading.instead_of, submission)
        grading.delete()
    else:
        _reopen(grading)
        follow_best_score(submission.student_id, submission.exercise)
        publish_after_commit(submission.topic)
    _untell(submission)


def _stand(grading: Grading, submission: Submission) -> None:
    submission.gradings.filter(in_force=True).update(in_force=False)
    grading.in_force = True
    grading.save(update_fields=["in_force", "instead_of"])
    follow_best_score(submission.student_id, submission.exercise)
    publish_after_commit(submission.topic)


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
