from django.utils import timezone

from exercises.errors import NoAttemptsLeftError
from exercises.models import Attempt, Submission
from exercises.queries.attempts import attempts_allowed, attempts_left


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


def give_back_attempt(submission_id: int, *, because: str) -> None:
    """Count the submission no longer, if it was counted."""
    Attempt.objects.filter(submission_id=submission_id, given_back_at=None).update(
        given_back_at=timezone.now(), given_back_because=because
    )
