"""Cells and columns of the gradebook, ready for a page: for staff, and for the student whose row it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse
from django.utils.translation import gettext as _

from exercises.models import Course
from exercises.queries.gradebook import GradeCell, GradeColumn, GradeRow, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnShown:
    """The head of a column; `is_held_back` where students do not see its outcomes yet."""

    slug: str
    title: str
    points: str
    weight: str
    is_held_back: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CellShown:
    """`notes` say in words what is particular about it; `is_left_out` of the grade."""

    points: str
    notes: list[str]
    is_left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RowShown:
    name: str
    url: str
    external_id: str
    section: str
    percent: str
    cells: list[CellShown]


def column_shown(column: GradeColumn) -> ColumnShown:
    """The head of a column."""
    return ColumnShown(
        slug=column.slug,
        title=column.title,
        points=_plain(column.points),
        weight=_plain(column.weight) if column.assignment is not None else "",
        is_held_back=column.is_held_back,
    )


def row_shown(course: Course, columns: Sequence[GradeColumn], row: GradeRow) -> RowShown:
    """A student's row."""
    user = row.membership.user
    return RowShown(
        name=str(user),
        url=reverse("teach:student", args=(course.slug, user.pk)),
        external_id=row.membership.external_id,
        section=row.membership.section,
        percent=percent_text(row.percent),
        cells=[cell_shown(cell) for cell in row.cells],
    )


def cell_shown(cell: GradeCell) -> CellShown:
    """A cell with what is to be said of it."""
    words = {
        Standing.DROPPED: _("dropped"),
        Standing.WAITING: _("waits to be judged"),
        Standing.OPEN: _("not due yet"),
        Standing.WITHHELD: _("not shown yet"),
    }
    notes = [words[cell.standing]] if cell.standing in words else []
    notes += [_("by hand")] if cell.is_overridden else []
    notes += [_("late")] if cell.is_late else []
    return CellShown(
        points="" if cell.points is None else _plain(cell.points),
        notes=notes,
        is_left_out=cell.standing != Standing.COUNTED,
    )


def percent_text(percent: Decimal | None) -> str:
    """A grade as pages write it; nothing where nothing counts yet."""
    return "" if percent is None else f"{percent} %"


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"
