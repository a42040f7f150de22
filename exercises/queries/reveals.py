"""When a student may see a hidden case, as the exercise says under `reveal`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from exercises.models import Exercise, User
from exercises.queries.encounters import Encounter


def may_see_hidden_case(student: User, exercise: Exercise, *, met: Encounter | None = None) -> bool:
    """Whether the smallest hidden case that fails is shown to this student, for all of their hand-ins.

    What the published version says holds for hand-ins to older ones too, so that an author can help who is stuck.
    `met` is what is known of the two already.
    """
    met, asked = met or Encounter(student, exercise), _reveal(exercise)
    if asked.get("at_closing") and is_over_for(student, exercise, met=met):
        return True
    return hand_ins_to_hidden_case(student, exercise, met=met) == 0


def hand_ins_to_hidden_case(student: User, exercise: Exercise, *, met: Encounter | None = None) -> int | None:
    """How many more hand-ins that count lie before it; None where no number of them does it."""
    after = _reveal(exercise).get("after")
    if after is None:
        return None
    counted = sum((met or Encounter(student, exercise)).attempts.values())
    return max(int(after) - counted, 0)


def is_over_for(student: User, exercise: Exercise, *, met: Encounter | None = None) -> bool:
    """Whether the exercise lies behind the student: closed, solved, or given up for its solution.

    Closed it is, too, once each assignment with a closing date that holds it is; until then it is over for nobody.
    """
    met = met or Encounter(student, exercise)
    closing = [row.window for row in met.holding_openly if row.window.closes_at is not None]
    if closing:
        now = timezone.now()
        return all(window.is_closed(now) for window in closing)
    return exercise.is_retired or exercise.published is None or met.has_solved or met.has_viewed_solution


def _reveal(exercise: Exercise) -> Mapping[str, Any]:
    version = exercise.published or exercise.versions.last()
    return (version.definition["exercise"].get("reveal") or {}) if version else {}
