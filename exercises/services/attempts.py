from django.utils import timezone

from exercises.errors import NoAttemptsLeftError
from exercises.models import Attempt, Submission
from exercises.queries.attempts import attempts_left


def charge_attempt(submission: Submission) -> None:
    """Count the submission as an attempt.

    Raises:
        NoAttemptsLeftError: the exercise allows no more.
    """
    if attempts_left(submission.student, submission.exercise) == 0:
        allowed = submission.exercise.max_attempts
        raise NoAttemptsLeftError(f"All {allowed} attempts at this exercise are used.")
    Attempt.objects.create(submission=submission)


def give_back_attempt(submission_id: int, *, because: str) -> None:
    """Count the submission no longer, if it was counted."""
    Attempt.objects.filter(submission_id=submission_id, given_back_at=None).update(
        given_back_at=timezone.now(), given_back_because=because
    )
