from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from exercises.errors import InvalidFieldError, KeyReusedError
from exercises.models import IdempotencyKey, Submission, User
from exercises.services.hand_ins import HandIn

KEY_LIFETIME = timedelta(hours=24)
LONGEST_KEY = 200


def checked_key(key: Any) -> str:
    """The idempotency key.

    Raises:
        InvalidFieldError: it is empty, too long or holds what cannot be printed.
    """
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidFieldError("Idempotency-Key", f"An idempotency key is 1 to {LONGEST_KEY} printable characters.")
    return key


def submission_of_key(student: User, key: str, hand_in: HandIn) -> Submission | None:
    """What the key gave when it was used in the last 24 hours.

    Raises:
        KeyReusedError: it was used for something else.
    """
    used = (
        IdempotencyKey.objects.select_related("submission")
        .filter(student=student, key=key, used_at__gt=timezone.now() - KEY_LIFETIME)
        .first()
    )
    if used is None:
        return None
    submission = used.submission
    is_for_another = hand_in.assignment is not None and hand_in.assignment.pk != submission.assignment_id
    if is_for_another or (submission.exercise_id, submission.body_hash) != (hand_in.exercise.pk, hand_in.body_hash):
        raise KeyReusedError("This idempotency key was used for another submission within the last 24 hours.")
    return submission


def remember_key(submission: Submission, key: str) -> None:
    """Let the key name this submission; one from more than 24 hours ago is forgotten."""
    IdempotencyKey.objects.update_or_create(
        student=submission.student, key=key, defaults={"submission": submission, "used_at": timezone.now()}
    )
