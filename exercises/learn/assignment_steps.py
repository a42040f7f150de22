"""An assignment one question a page: where one is, what is answered, what comes before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.learn.marks import NOT_STARTED, UNDER_REVIEW, Mark
from exercises.learn.rows import exercise_url
from exercises.models import Assignment, AssignmentExercise, Draft, Submission, User
from exercises.queries.assignments import items_of
from exercises.queries.encounters import Encounter
from exercises.queries.own_order import in_own_order
from exercises.queries.windows import Window

WRITTEN = Mark(word=_("Written, not handed in"), icon="half")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    number: int
    title: str
    url: str
    mark: Mark
    is_current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """`place` and `answered` are said in words; `previous` and `following` are None at the ends."""

    steps: list[Step]
    place: str
    answered: str
    previous: Step | None
    following: Step | None


def steps_of(met: Encounter, assignment: Assignment, *, window: Window) -> Steps:
    """The steps in the student's own order, as seen from the exercise. One query, whatever their number."""
    items = _with_marks(items_of(assignment), met.person, window)
    shown = [item for item in items if item.exercise.published and not item.exercise.is_retired]
    steps = [
        _step(assignment, item, number, is_current=item.exercise_id == met.exercise.pk)
        for number, item in enumerate(in_own_order(assignment, shown, student=met.person), start=1)
    ]
    at = next((number for number, step in enumerate(steps) if step.is_current), 0)
    return Steps(
        steps=steps,
        place=_("Question %(number)d of %(total)d") % {"number": at + 1, "total": len(steps)},
        answered=_answered(sum(step.mark is UNDER_REVIEW for step in steps), len(steps)),
        previous=steps[at - 1] if at > 0 else None,
        following=steps[at + 1] if at + 1 < len(steps) else None,
    )


def _with_marks(items: QuerySet[AssignmentExercise], student: User, window: Window) -> QuerySet[AssignmentExercise]:
    """The items with what was begun of each: a draft from before the quiz was started is none of it."""
    handed_in = Submission.objects.filter(
        student=student, assignment=OuterRef("assignment"), exercise=OuterRef("exercise")
    )
    drafts = Draft.objects.filter(student=student, exercise=OuterRef("exercise"))
    if window.started_at is not None:
        drafts = drafts.filter(saved_at__gte=window.started_at)
    return items.annotate(is_handed_in=Exists(handed_in), is_written=Exists(drafts))


def _step(assignment: Assignment, item: Any, number: int, *, is_current: bool) -> Step:
    """Of an item `_with_marks`."""
    exercise = item.exercise
    written = WRITTEN if item.is_written else NOT_STARTED
    return Step(
        number=number,
        title=exercise.published.title,
        url=f"{exercise_url(assignment.course, exercise)}?assignment={assignment.slug}",
        mark=UNDER_REVIEW if item.is_handed_in else written,
        is_current=is_current,
    )


def _answered(count: int, total: int) -> str:
    return ngettext("%(count)d of %(total)d handed in", "%(count)d of %(total)d handed in", count) % {
        "count": count,
        "total": total,
    }
