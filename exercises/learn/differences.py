"""The difference picture: got − expected, blue where less came out, orange where more, white where nothing differs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from exercises.learn.axes import plane_axes
from exercises.learn.pictures import (
    Picture,
    Sketch,
    common_cells,
    heat_maps,
    leading_of,
    notes_on,
    ramp_of,
)
from exercises.learn.planes import Matrix, cells_for, heat_map
from exercises.learn.scales import finite, scale_of_differences
from exercises.learn.slices import block_of, numbers_in
from exercises.learn.values import number_text

Told = Mapping[str, Any]
"""The details of a mismatch, as the graders gave them: worst, map, path."""


def difference_of(expected: Sketch, actual: Sketch, *, path: str = "", summary: str = "") -> Picture:
    """Element by element, over all slices; both have one shape with at least one dimension."""
    by = Sketch(
        name=f"{_('Got − expected')} {path}".strip(),
        form="",
        values=_minus(actual.values, expected.values),
        shape=expected.shape,
        axes=expected.axes,
        worst=actual.worst,
    )
    limit = max((abs(number) for value in numbers_in(by.values) if (number := finite(value)) is not None), default=0.0)
    scale = scale_of_differences(limit)
    beside = [by, expected, actual] if len(by.shape) > 1 else [by]
    has_gaps = any(finite(value) is None for value in numbers_in(by.values))
    return Picture(
        name=by.name,
        form="",
        spoken=_spoken(summary, limit),
        planes=heat_maps(by, scale, common_cells(beside)),
        ramp=ramp_of(scale) if limit else None,
        notes=(*_notes(limit, has_gaps=has_gaps, is_truth=expected.is_truth), *notes_on(by)),
        **leading_of(by),
    )


def difference_in_map(told: Told, *, axes: tuple[str, ...], summary: str) -> Picture | None:
    """The map that the graders made at the worst element; None where they made none."""
    drawn = told.get("map")
    if not drawn or not drawn["cells"] or not drawn["cells"][0]:
        return None
    matrix = _matrix(drawn, is_vector=len(axes) == 1)
    scale = scale_of_differences(float(drawn["limit"]))
    worst = (told.get("worst") or {}).get("index") or []
    mark = _mark(matrix, worst)
    plane = heat_map(matrix, scale, cells_for([matrix]), axes=plane_axes(axes), mark=mark)
    rows, columns = drawn["shape"]
    has_gaps = any(cell is None for row in drawn["cells"] for cell in row)
    notes = _notes(scale.high, has_gaps=has_gaps)
    if (len(matrix.row_starts), len(matrix.column_starts)) != (rows, columns):
        pooled = _("Pooled from %(rows)d × %(columns)d: each cell shows the largest difference of several elements.")
        notes.append(pooled % {"rows": rows, "columns": columns})
    place = f" [{', '.join(map(str, drawn['leading']))}]" if drawn["leading"] else ""
    return Picture(
        name=_("Got − expected") + place,
        form="",
        spoken=_spoken(summary, scale.high),
        planes=[plane],
        ramp=ramp_of(scale) if scale.high else None,
        notes=tuple(notes),
    )


def _minus(actual: Any, expected: Any) -> Any:
    if isinstance(actual, list):
        return [_minus(one, other) for one, other in zip(actual, expected, strict=True)]
    if actual == expected:
        return 0
    one, other = finite(actual), finite(expected)
    if one is None or other is None:
        return math.nan
    whole = isinstance(actual, int) and isinstance(expected, int)
    return int(actual) - int(expected) if whole else one - other


def _matrix(drawn: Told, *, is_vector: bool) -> Matrix:
    rows, columns = drawn["shape"]
    cells = drawn["cells"]
    return Matrix(
        rows=cells,
        row_starts=_starts(rows, len(cells)),
        column_starts=_starts(columns, len(cells[0])),
        is_vector=is_vector,
    )


def _starts(length: int, blocks: int) -> list[int]:
    return [block * length // blocks for block in range(blocks)]


def _mark(matrix: Matrix, worst: Sequence[int]) -> tuple[int, int] | None:
    if not worst:
        return None
    row, column = (0, *worst)[-2:]
    return block_of(matrix.row_starts, row), block_of(matrix.column_starts, column)


def _notes(limit: float, *, has_gaps: bool, is_truth: bool = False) -> list[str]:
    """What the colours mean."""
    notes = []
    if limit and is_truth:
        notes.append(_("Orange: True instead of False. Blue: False instead of True."))
    elif limit:
        notes.append(_("Blue: less than expected. Orange: more."))
    return [*notes, *([_("Hatched: the difference is no number.")] if has_gaps else [])]


def _spoken(summary: str, limit: float) -> str:
    limits = _(", from −%(limit)s to %(limit)s") % {"limit": number_text(limit)} if limit else ""
    return f"{summary} {_('Picture of got minus expected')}{limits}.".strip()
