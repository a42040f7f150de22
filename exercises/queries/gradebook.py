"""The gradebook of a course: what counts for each student, and the grade that follows. A student's own is a row of it.

Columns are the assignments that students see or, in a course that has none, its exercises. docs/teaching.md has the
rules in words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import islice

from django.db.models import QuerySet

from exercises.choices import Role
from exercises.models import Assignment, Course, Membership, Submission, User
from exercises.queries.counting import NOTHING, counting, rounded, share_kept, share_of
from exercises.queries.courses import shown_exercises
from exercises.queries.grade_facts import GradeFacts, read_facts
from exercises.queries.windows import make_window
from exercises.queries.withheld import is_shown, withheld_from, withheld_gradings

STUDENTS_AT_ONCE = 100
HUNDRED = Decimal(100)


class Standing(StrEnum):
    """Of a cell: what it is to the grade. All but `counted` are left out of it."""

    COUNTED = "counted"
    DROPPED = "dropped"
    OPEN = "open"
    WAITING = "waiting"
    WITHHELD = "withheld"


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeColumn:
    """An assignment or, in a course without any, an exercise. `is_held_back`: students do not see what was judged."""

    slug: str
    title: str
    points: Decimal
    weight: Decimal
    is_held_back: bool = False
    assignment: Assignment | None = None
    exercise_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeCell:
    """What a column has brought a student; `points` is None where that is withheld, or nothing was handed in yet."""

    standing: Standing
    points: Decimal | None = None
    share: Decimal = NOTHING
    is_overridden: bool = False
    is_late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRow:
    """A student's cells, in the order of the columns, and the grade in percent; None before anything counts."""

    membership: Membership
    cells: tuple[GradeCell, ...]
    percent: Decimal | None


def gradebook_columns(course: Course) -> tuple[GradeColumn, ...]:
    """The columns of the course's gradebook, in two queries."""
    assignments = list(course.assignments.filter(is_hidden=False).prefetch_related("items"))
    if assignments:
        return tuple(_of_assignment(course, row) for row in assignments)
    exercises = shown_exercises().filter(course=course)
    return tuple(
        GradeColumn(
            slug=exercise.slug,
            title=exercise.published.title,
            points=exercise.published.points,
            weight=exercise.published.points,
            exercise_id=exercise.pk,
        )
        for exercise in exercises
        if exercise.published is not None
    )


def students_of(course: Course, *, section: str | None = None) -> QuerySet[Membership]:
    """The memberships of the course's students, with them, by name; of one section where it is given."""
    found = course.memberships.filter(role=Role.STUDENT).select_related("user")
    found = found if section is None else found.filter(section=section)
    return found.order_by("user__last_name", "user__first_name", "user__username")


def grade_rows(course: Course, columns: Sequence[GradeColumn], memberships: Iterable[Membership]) -> Iterator[GradeRow]:
    """The rows of these students as staff see them: also what is held back. Read in batches, so that memory is flat."""
    remaining = iter(memberships)
    while batch := list(islice(remaining, STUDENTS_AT_ONCE)):
        facts = _facts(columns, batch)
        for membership in batch:
            cells = [_cell(column, membership.user_id, facts) for column in columns]
            yield _row(course, columns, membership, cells)


def own_grade(student: User, course: Course) -> tuple[tuple[GradeColumn, ...], GradeRow]:
    """A student's own row with its columns, as that student may see it.

    What an assignment does not show them yet is not in the grade either.

    Raises:
        Membership.DoesNotExist: they are no member of the course.
    """
    membership = Membership.objects.select_related("user").get(user=student, course=course)
    columns = gradebook_columns(course)
    facts, unseen = _facts(columns, [membership]), _unseen(student)
    cells = [_own_cell(column, student.pk, facts, unseen) for column in columns]
    return columns, _row(course, columns, membership, cells)


def _of_assignment(course: Course, assignment: Assignment) -> GradeColumn:
    assignment.course = course
    return GradeColumn(
        slug=assignment.slug,
        title=assignment.title,
        points=sum((item.points for item in assignment.items.all()), NOTHING),
        weight=assignment.weight,
        is_held_back=not is_shown(assignment.outcomes_shown, assignment, make_window(assignment)),
        assignment=assignment,
    )


def _facts(columns: Sequence[GradeColumn], memberships: Iterable[Membership]) -> GradeFacts:
    return read_facts(
        assignments=[column.assignment for column in columns if column.assignment is not None],
        exercise_ids=[column.exercise_id for column in columns if column.exercise_id is not None],
        student_ids=[row.user_id for row in memberships],
    )


def _unseen(student: User) -> list[Submission]:
    """What the student handed in that counts, and does not see the outcome of."""
    gradings = withheld_gradings(student, withheld_from(student))
    return [grading.submission for grading in gradings if grading.submission.is_counted]


def _own_cell(column: GradeColumn, student_id: int, facts: GradeFacts, unseen: Collection[Submission]) -> GradeCell:
    """As `_cell`, without what the student does not see: also where another assignment keeps it back."""
    cell, assignment = _cell(column, student_id, facts), column.assignment
    if assignment is None:
        is_kept_back = not cell.is_overridden and any(row.exercise_id == column.exercise_id for row in unseen)
    else:
        window = facts.window(assignment.pk, student_id)
        is_kept_back = not is_shown(assignment.outcomes_shown, assignment, window)
        is_kept_back = is_kept_back or any(row.assignment_id == assignment.pk for row in unseen)
    return GradeCell(standing=Standing.WITHHELD) if is_kept_back else cell


def _cell(column: GradeColumn, student_id: int, facts: GradeFacts) -> GradeCell:
    assignment = column.assignment
    if assignment is None:
        return _exercise_cell(column, student_id, facts)
    window, by_hand = facts.window(assignment.pk, student_id), facts.overrides_of(assignment.pk, student_id)
    hand_ins, points, is_late = facts.hand_ins_of(assignment.pk, student_id), NOTHING, False
    for item in assignment.items.all():
        counts = counting(hand_ins.get(item.exercise_id, ()), window, counted=assignment.counted)
        if item.exercise_id in by_hand:
            points += rounded(item.points * by_hand[item.exercise_id])
        elif counts is not None:
            points += rounded(item.points * share_kept(counts, window))
            is_late = is_late or window.days_late(counts.created_at) > 0
    is_touched = bool(by_hand or hand_ins)
    standing = _standing(assignment, student_id, facts, is_touched=is_touched)
    return GradeCell(
        standing=standing,
        points=points if is_touched or standing == Standing.COUNTED else None,
        share=share_of(points, column.points),
        is_overridden=bool(by_hand),
        is_late=is_late,
    )


def _exercise_cell(column: GradeColumn, student_id: int, facts: GradeFacts) -> GradeCell:
    assert column.exercise_id is not None
    by_hand = facts.overrides_of(None, student_id).get(column.exercise_id)
    share = facts.best.get((student_id, column.exercise_id)) if by_hand is None else by_hand
    return GradeCell(
        standing=Standing.COUNTED,
        points=None if share is None else rounded(column.points * share),
        share=share or NOTHING,
        is_overridden=by_hand is not None,
    )


def _standing(assignment: Assignment, student_id: int, facts: GradeFacts, *, is_touched: bool) -> Standing:
    """Whether an assignment counts by now for this student."""
    window, now = facts.window(assignment.pk, student_id), facts.now
    by_hand = facts.overrides_of(assignment.pk, student_id)
    if facts.waiting.get((assignment.pk, student_id), set()) - set(by_hand):
        return Standing.WAITING
    if window.is_over(now):
        return Standing.COUNTED
    if window.deadline is not None:
        return Standing.COUNTED if window.deadline < now else Standing.OPEN
    # What has no date at all counts from the first hand-in on; what closes, once it has.
    return Standing.COUNTED if is_touched and window.closes_at is None else Standing.OPEN


def _row(
    course: Course, columns: Sequence[GradeColumn], membership: Membership, cells: Sequence[GradeCell]
) -> GradeRow:
    kept = _without_lowest(columns, cells, dropped=course.dropped_lowest)
    counted = [
        (column.weight, cell.share)
        for column, cell in zip(columns, kept, strict=True)
        if cell.standing == Standing.COUNTED
    ]
    whole = sum((weight for weight, _share in counted), NOTHING)
    reached = sum((weight * share for weight, share in counted), NOTHING)
    percent = rounded(reached / whole * HUNDRED) if whole else None
    return GradeRow(membership=membership, cells=kept, percent=percent)


def _without_lowest(
    columns: Sequence[GradeColumn], cells: Sequence[GradeCell], *, dropped: int
) -> tuple[GradeCell, ...]:
    """The cells with the worst assignments dropped, of equal ones the heavier; one at least stays."""
    places = [
        place
        for place, (column, cell) in enumerate(zip(columns, cells, strict=True))
        if column.assignment is not None and column.weight and cell.standing == Standing.COUNTED
    ]
    worst = sorted(places, key=lambda place: (cells[place].share, -columns[place].weight))
    gone = set(worst[: max(min(dropped, len(places) - 1), 0)])
    return tuple(
        replace(cell, standing=Standing.DROPPED) if place in gone else cell for place, cell in enumerate(cells)
    )
