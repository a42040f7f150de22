from __future__ import annotations

from dataclasses import dataclass

from exercises.choices import ActivityKind
from exercises.errors import HintNotOpenError, SolutionNotOpenError
from exercises.models import Activity, Exercise, User
from exercises.queries.definitions import definition_of
from exercises.queries.hints import hints_opened, may_view_solution


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What the author says afterwards: the explanation, as Markdown, and the reference where the exercise is code."""

    explanation: str
    reference: str


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


def view_solution(student: User, exercise: Exercise) -> Solution:
    """The solution; that it was viewed is recorded.

    Raises:
        SolutionNotOpenError: the student has not solved the exercise, and the course is not self-paced.
    """
    if not may_view_solution(student, exercise):
        raise SolutionNotOpenError("The solution is shown once you have solved the exercise.")
    Activity.objects.create(student=student, exercise=exercise, kind=ActivityKind.SOLUTION_VIEWED)
    definition = definition_of(exercise)
    return Solution(
        explanation=definition["exercise"].get("explanation", ""),
        reference=definition["files"].get("reference.py", ""),
    )
