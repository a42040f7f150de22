"""The gradebook as a table: the same rows for CSV, for spreadsheets and over the API (docs/teaching.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from exercises.exports.tables import Cell
from exercises.models import Course
from exercises.queries.gradebook import GradeColumn, GradeRow, Standing

PERSON = ("external_id", "username", "last_name", "first_name", "section", "percent")
LAST = ("dropped", "not_counted")
LEFT_OUT = (Standing.OPEN, Standing.WAITING, Standing.WITHHELD)


def gradebook_table(columns: Sequence[GradeColumn], rows: Iterable[GradeRow]) -> Iterator[list[Cell]]:
    """The header, then a row for each student."""
    points = [f"{column.slug} (of {column.points.normalize():f})" for column in columns]
    yield [*PERSON, *points, *LAST]
    for row in rows:
        user = row.membership.user
        person = (row.membership.external_id, user.username, user.last_name, user.first_name, row.membership.section)
        marked = [" ".join(_slugs(columns, row, standings)) for standings in ((Standing.DROPPED,), LEFT_OUT)]
        yield [*person, row.percent, *(cell.points for cell in row.cells), *marked]


def gradebook_head(course: Course, columns: Sequence[GradeColumn]) -> dict[str, Any]:
    """What stands before the rows of the gradebook as JSON."""
    return {
        "course": course.slug,
        "dropped_lowest": course.dropped_lowest,
        "columns": [
            {
                "slug": column.slug,
                "title": column.title,
                "is_assignment": column.assignment is not None,
                "points": float(column.points),
                "weight": float(column.weight),
                "held_back": column.is_held_back,
            }
            for column in columns
        ],
    }


def gradebook_line(columns: Sequence[GradeColumn], row: GradeRow) -> dict[str, Any]:
    """A student's row of the gradebook as JSON."""
    user = row.membership.user
    return {
        "external_id": row.membership.external_id,
        "username": user.username,
        "last_name": user.last_name,
        "first_name": user.first_name,
        "section": row.membership.section,
        "percent": None if row.percent is None else float(row.percent),
        "cells": [
            {
                "slug": column.slug,
                "points": None if cell.points is None else float(cell.points),
                "standing": cell.standing.value,
                "by_hand": cell.is_overridden,
                "late": cell.is_late,
            }
            for column, cell in zip(columns, row.cells, strict=True)
        ],
    }


def _slugs(columns: Sequence[GradeColumn], row: GradeRow, standings: Sequence[Standing]) -> list[str]:
    pairs = zip(columns, row.cells, strict=True)
    return [column.slug for column, cell in pairs if cell.standing in standings]
