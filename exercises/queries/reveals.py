"""When a student may see a hidden case, as the exercise says under `reveal`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from exercises.choices import ActivityKind
from exercises.models import Activity, Attempt, Exercise, User
from exercises.queries.hints import has_solved
from exercises.queries.terms import windows_with


def may_see_hidden_case(student: User, exercise: Exercise) -> bool:
    """Whether the smallest hidden case that fails is shown to this student, for all of their hand-ins.

    What the published version says holds for hand-ins to older ones too, so that an author can help who is stuck.
    """
    asked = _reveal(exercise)
    if asked.get("at_closing") and is_over_for(student, exercise):
        return True
    return hand_ins_to_hidden_case(student, exercise) == 0


def hand_ins_to_hidden_case(student: User, exercise: Exercise) -> int | None:
    """How many more hand-ins that count lie before it; None where no number of them does it."""
    after = _reveal(exercise).get("after")
    if after is None:
        return None
    counted = Attempt.objects.filter(
        submission__student=student, submission__exercise=exercise, given_back_at__isnull=True
    )
    return max(int(after) - counted.count(), 0)


def is_over_for(student: User, exercise: Exercise) -> bool:
    """Whether the exercise lies behind the student: closed, solved, or given up for its solution.

    Closed it is, too, once each assignment with a closing date that holds it is; until then it is over for nobody.
    """
    closing = [window for window in windows_with(student, exercise) if window.closes_at is not None]
    if closing:
        now = timezone.now()
        return all(window.is_closed(now) for window in closing)
    if exercise.is_retired or exercise.published is None or has_solved(student, exercise):
        return True
    viewed = Activity.objects.filter(student=student, exercise=exercise, kind=ActivityKind.SOLUTION_VIEWED)
    return viewed.exists()


def _reveal(exercise: Exercise) -> Mapping[str, Any]:
    version = exercise.published or exercise.versions.last()
    return (version.definition["exercise"].get("reveal") or {}) if version else {}
