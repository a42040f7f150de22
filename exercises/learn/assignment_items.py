"""The exercises of an assignment as its page lists them, with what they have brought one student."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.learn.marks import NOT_STARTED, UNDER_REVIEW, Mark, verdict_mark
from exercises.learn.rows import exercise_url
from exercises.learn.values import number_text
from exercises.models import Assignment, User
from exercises.queries import AssignmentScore, ItemScore, attempts_by_exercise
from exercises.queries.own_order import in_own_order
from exercises.queries.withheld import withheld_from, withheld_gradings


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """An exercise of an assignment. `counts_url` leads to the hand-in that counts, `counts` says what is left of it."""

    title: str
    url: str
    mark: Mark
    points: str
    attempts: str
    counts: str = ""
    counts_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """`points` are those that were reached and could be; only the latter while something is withheld."""

    rows: list[ItemRow]
    points: str


def items_shown(student: User, assignment: Assignment, score: AssignmentScore) -> Items:
    """The exercises that may be shown, in the student's own order, without outcomes that are withheld."""
    of_exercise = {found.item.exercise_id: found for found in score.items if _is_there(found)}
    ordered = in_own_order(assignment, [found.item for found in of_exercise.values()], student=student)
    shown = [of_exercise[item.exercise_id] for item in ordered]
    attempts = attempts_by_exercise(student, assignment, [item.exercise for item in ordered])
    hidden = _hidden(student, assignment, shown)
    rows = [_row(assignment, found, attempts, is_hidden=found.item.exercise_id in hidden) for found in shown]
    points = _number(score.max_points) if hidden else f"{_number(score.points)} / {_number(score.max_points)}"
    return Items(rows=rows, points=points)


def attempts_word(left: int | None) -> str:
    """How many attempts are left; nothing where there is no limit."""
    if left is None:
        return ""
    return ngettext("%(count)d attempt left", "%(count)d attempts left", left) % {"count": left}


def points_word(points: Decimal) -> str:
    """How many points there are, such as `2.5 points`."""
    return _("1 point") if points == 1 else _("%(points)s points") % {"points": number_text(float(points))}


def _is_there(found: ItemScore) -> bool:
    exercise = found.item.exercise
    return exercise.published is not None and not exercise.is_retired


def _hidden(student: User, assignment: Assignment, items: Collection[ItemScore]) -> set[int]:
    """The exercises whose outcomes the student does not see yet."""
    withheld = withheld_from(student)
    if assignment.pk in withheld.assignments:
        return {found.item.exercise_id for found in items}
    return {grading.submission.exercise_id for grading in withheld_gradings(student, withheld)}


def _row(
    assignment: Assignment, found: ItemScore, attempts: Mapping[int, tuple[int, int | None]], *, is_hidden: bool
) -> ItemRow:
    exercise, counts = found.item.exercise, found.submission
    assert exercise.published is not None
    handed_in, left = attempts.get(exercise.pk, (0, None))
    without_outcome = UNDER_REVIEW if handed_in else NOT_STARTED
    stated = {
        "title": exercise.published.title,
        "url": f"{exercise_url(assignment.course, exercise)}?assignment={assignment.slug}",
        "attempts": attempts_word(left),
    }
    if is_hidden:
        return ItemRow(mark=without_outcome, points=_number(found.item.points), **stated)
    return ItemRow(
        mark=verdict_mark(counts.grading.verdict) if counts else without_outcome,
        points=f"{_number(found.points)} / {_number(found.item.points)}",
        counts=_counts(found),
        counts_url=reverse("learn:submission", args=(counts.pk,)) if counts else "",
        **stated,
    )


def _counts(found: ItemScore) -> str:
    if found.is_overridden:
        return _("set by hand")
    if found.submission is None:
        return ""
    if found.kept == 1:
        return _("%(receipt)s counts") % {"receipt": found.submission.receipt}
    percent = _number(found.kept * 100)
    return _("%(receipt)s counts, late: %(percent)s %% of it is left") % {
        "receipt": found.submission.receipt,
        "percent": percent,
    }


def _number(points: Decimal) -> str:
    return number_text(float(points))
