from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from exercises.choices import AuditAction
from exercises.errors import InvalidFieldError, NoAttemptsLeftError
from exercises.models import Attempt, Exercise, Submission, User
from exercises.queries.attempts import attempts_allowed, attempts_left
from exercises.services.audit import record_action
from exercises.services.revisions import lock_exercise
from exercises.services.rights import require_instructor

MOST_ATTEMPTS: Final = 1000


def charge_attempt(submission: Submission) -> None:
    """Count the submission as an attempt.

    Raises:
        NoAttemptsLeftError: the exercise, or the assignment, allows no more.
    """
    of_student, within = (submission.student, submission.exercise), submission.assignment
    if attempts_left(*of_student, assignment=within) == 0:
        allowed = attempts_allowed(*of_student, assignment=within)
        raise NoAttemptsLeftError(f"All {allowed} attempts at this exercise are used.")
    Attempt.objects.create(submission=submission)


@transaction.atomic
def limit_attempts(exercise: Exercise, *, most: Any, author: User) -> None:
    """How often a student may hand in to the exercise by itself, and where an assignment says nothing; None: no limit.

    What was handed in before counts as well.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: it is no number of attempts.
    """
    require_instructor(author, exercise.course)
    if most is not None and (not isinstance(most, int) or not 1 <= most <= MOST_ATTEMPTS):
        raise InvalidFieldError(
            "max_attempts", f"Give 1 to {MOST_ATTEMPTS} attempts, or nothing for as many as one likes."
        )
    lock_exercise(exercise)
    exercise.refresh_from_db(fields=["max_attempts"])
    if exercise.max_attempts == most:
        return
    details = {"attempts": [exercise.max_attempts, most]}
    exercise.max_attempts = most
    exercise.save(update_fields=["max_attempts"])
    record_action(exercise.course, AuditAction.ATTEMPTS_LIMITED, actor=author, target=exercise.slug, details=details)


def give_back_attempt(submission_id: int, *, because: str) -> None:
    """Count the submission no longer, if it was counted."""
    Attempt.objects.filter(submission_id=submission_id, given_back_at=None).update(
        given_back_at=timezone.now(), given_back_because=because
    )
