from __future__ import annotations

from exercises.choices import ActivityKind
from exercises.errors import HintNotOpenError
from exercises.models import Activity, Exercise, User
from exercises.queries.definitions import definition_of
from exercises.queries.hints import hints_opened


def open_hint(student: User, exercise: Exercise, *, number: int) -> str:
    """The hint (Markdown), from 1 on; that it was opened is recorded once.

    Raises:
        HintNotOpenError: there is no such hint, or the one before it was not opened.
    """
    hints = definition_of(exercise)["exercise"].get("hints", [])
    opened = hints_opened(student, exercise)
    if not 1 <= number <= min(opened + 1, len(hints)):
        raise HintNotOpenError("Hints are opened one after another.")
    if number > opened:
        Activity.objects.create(student=student, exercise=exercise, kind=ActivityKind.HINT_OPENED, number=number)
    return str(hints[number - 1])
