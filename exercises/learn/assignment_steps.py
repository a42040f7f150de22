"""An assignment one question a page: where one is, what is answered, what comes before and after."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.learn.marks import NOT_STARTED, UNDER_REVIEW, Mark
from exercises.learn.rows import exercise_url
from exercises.models import Assignment, AssignmentExercise, Draft, Exercise, Submission, User
from exercises.queries.assignments import items_of
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


def steps_of(student: User, assignment: Assignment, exercise: Exercise, *, window: Window) -> Steps:
    """The steps in the student's own order, as seen from one of them. Three queries, whatever their number."""
    shown = [item for item in items_of(assignment) if item.exercise.published and not item.exercise.is_retired]
    marks = _marks(student, assignment, window)
    steps = [
        _step(assignment, item, number, marks, is_current=item.exercise_id == exercise.pk)
        for number, item in enumerate(in_own_order(assignment, shown, student=student), start=1)
    ]
    at = next((number for number, step in enumerate(steps) if step.is_current), 0)
    return Steps(
        steps=steps,
        place=_("Question %(number)d of %(total)d") % {"number": at + 1, "total": len(steps)},
        answered=_answered(sum(step.mark is UNDER_REVIEW for step in steps), len(steps)),
        previous=steps[at - 1] if at > 0 else None,
        following=steps[at + 1] if at + 1 < len(steps) else None,
    )


def _marks(student: User, assignment: Assignment, window: Window) -> dict[int, Mark]:
    """By exercise, of what was begun: a draft from before the quiz was started is none of it."""
    handed_in = Submission.objects.filter(student=student, assignment=assignment)
    drafts = Draft.objects.filter(student=student, exercise__in=assignment.exercises.all())
    if window.started_at is not None:
        drafts = drafts.filter(saved_at__gte=window.started_at)
    begun = dict.fromkeys(drafts.values_list("exercise_id", flat=True), WRITTEN)
    return begun | dict.fromkeys(handed_in.values_list("exercise_id", flat=True), UNDER_REVIEW)


def _step(
    assignment: Assignment, item: AssignmentExercise, number: int, marks: dict[int, Mark], *, is_current: bool
) -> Step:
    exercise = item.exercise
    assert exercise.published is not None
    return Step(
        number=number,
        title=exercise.published.title,
        url=f"{exercise_url(assignment.course, exercise)}?assignment={assignment.slug}",
        mark=marks.get(exercise.pk, NOT_STARTED),
        is_current=is_current,
    )


def _answered(count: int, total: int) -> str:
    return ngettext("%(count)d of %(total)d handed in", "%(count)d of %(total)d handed in", count) % {
        "count": count,
        "total": total,
    }
