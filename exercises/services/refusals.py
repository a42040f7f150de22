"""Hand-ins that are not taken: why, and how they are kept all the same."""

from __future__ import annotations

from typing import Any

from exercises.choices import RefusalReason
from exercises.errors import (
    ExerciseClosedError,
    ExerciseError,
    NoAttemptsLeftError,
    NotOpenYetError,
    NotStartedError,
    TimeOverError,
    VersionChangedError,
)
from exercises.models import Assignment, Exercise, Refusal, User
from exercises.queries.terms import Terms
from exercises.services.hand_ins import HandIn
from exercises.services.kept_drafts import keep_as_draft

REASONS: dict[type[ExerciseError], RefusalReason] = {
    ExerciseClosedError: RefusalReason.CLOSED,
    NotOpenYetError: RefusalReason.NOT_OPEN,
    NotStartedError: RefusalReason.NOT_STARTED,
    TimeOverError: RefusalReason.TIME_OVER,
    NoAttemptsLeftError: RefusalReason.NO_ATTEMPTS,
    VersionChangedError: RefusalReason.VERSION_CHANGED,
}
REFUSALS = tuple(REASONS)
"""What a hand-in is kept after, as a `Refusal`."""


def check_terms(terms: Terms) -> None:
    """Raises: the error that says why the assignment does not take the hand-in just now."""
    if terms.refusal is None:
        return
    assert terms.assignment is not None
    title, kept = terms.assignment.title, "What you handed in is kept with its time, and staff can see it."
    if terms.refusal == RefusalReason.NOT_OPEN:
        raise NotOpenYetError(f"“{title}” is not open yet. {kept}")
    if terms.refusal == RefusalReason.NOT_STARTED:
        raise NotStartedError(f"“{title}” has to be started first, on its page. {kept}")
    if terms.refusal == RefusalReason.TIME_OVER:
        raise TimeOverError(f"Your time for “{title}” is over. {kept}")
    raise ExerciseClosedError(f"“{title}” is closed. {kept} You can still practise: open the exercise again.")


def keep_refused(student: User, hand_in: HandIn, refusal: ExerciseError, *, assignment: Assignment | None) -> None:
    """Keep the hand-in with its time and why it was not taken; code of an older version as the draft, too."""
    Refusal.objects.create(
        student=student,
        exercise=hand_in.exercise,
        assignment=assignment,
        reason=REASONS[type(refusal)],
        source=hand_in.source,
        response=hand_in.response,
    )
    if isinstance(refusal, VersionChangedError) and hand_in.is_code:
        keep_as_draft(student, hand_in.exercise, hand_in.source)


def keep_unreadable(student: User, exercise: Exercise, fields: Any, *, assignment: Assignment) -> None:
    """Keep the fields of a form that a clock would have handed in, had they been an answer."""
    Refusal.objects.create(
        student=student, exercise=exercise, assignment=assignment, reason=RefusalReason.INVALID, response=fields
    )
