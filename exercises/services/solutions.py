from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from exercises.choices import ActivityKind
from exercises.errors import QuestionNotDrawnError, SolutionNotOpenError
from exercises.models import Activity, Exercise, User
from exercises.queries.definitions import definition_of
from exercises.queries.questions import right_response
from exercises.queries.solutions import SolutionAccess, solution_access
from exercises.services.locks import lock_student
from exercises.services.spaced_reviews import plan_review


@dataclass(frozen=True, slots=True, kw_only=True)
class Solution:
    """What the author says afterwards: the explanation, as Markdown, and one right answer.

    That is the reference of code, the model answer (Markdown) of an explanation, and else a right response, of this
    student's own question; None where none can be made, as of a pattern or where the question cannot be drawn.
    """

    explanation: str
    reference: str = ""
    model_answer: str = ""
    response: object = None


@transaction.atomic
def view_solution(student: User, exercise: Exercise) -> Solution:
    """The solution; that it was viewed is recorded, with the time.

    Raises:
        SolutionNotOpenError: it is not open to the student by now; `queries.solution_access` says why.
    """
    access = solution_access(student, exercise)
    if not access.is_open:
        raise SolutionNotOpenError(_why_not(access))
    Activity.objects.create(student=student, exercise=exercise, kind=ActivityKind.SOLUTION_VIEWED)
    return solution_of(student, exercise)


@transaction.atomic
def give_up(student: User, exercise: Exercise) -> None:
    """Open the solution for the score of all that is handed in from now on: that is practice. Recorded once.

    Nothing is given up where the solution is open already.

    Raises:
        SolutionNotOpenError: an assignment withholds the solution, also from those who give up.
    """
    lock_student(student.pk)
    access = solution_access(student, exercise)
    if access.is_open:
        return
    if not access.may_give_up:
        raise SolutionNotOpenError(_why_not(access))
    for kind in (ActivityKind.GAVE_UP, ActivityKind.SOLUTION_VIEWED):
        Activity.objects.create(student=student, exercise=exercise, kind=kind)
    plan_review(student, exercise)


def solution_of(student: User, exercise: Exercise) -> Solution:
    """What the solution is; whether the student may see it is the caller's to ask."""
    definition = definition_of(exercise)
    stated: Mapping[str, Any] = definition["exercise"]
    explanation = stated.get("explanation", "")
    if exercise.is_code:
        return Solution(explanation=explanation, reference=definition["files"].get("reference.py", ""))
    if exercise.published is not None and exercise.published.is_reviewed:
        return Solution(explanation=explanation, model_answer=stated.get("model_answer", ""))
    try:
        return Solution(explanation=explanation, response=right_response(student, exercise))
    except QuestionNotDrawnError:
        return Solution(explanation=explanation)


def _why_not(access: SolutionAccess) -> str:
    if access.may_give_up:
        return "The solution is shown once you have solved the exercise, or given it up."
    if access.withheld_by is None:
        return "The solution is not shown yet."
    return f"“{access.withheld_by.title}” does not show solutions yet."
