"""Nested lists cut into matrices that can be drawn, at most 64 × 64 cells each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from exercises.learn.planes import MOST_CELLS, Matrix
from exercises.learn.scales import finite, is_drawable

MOST_SLICES = 64


def extent(values: Any) -> tuple[int, ...] | None:
    """The shape of nested lists of numbers; None if they are ragged or hold anything else."""
    if not isinstance(values, list):
        return () if is_drawable(values) else None
    inner = {extent(item) for item in values} or {()}
    shape = inner.pop()
    return None if inner or shape is None else (len(values), *shape)


def numbers_in(values: Any) -> Iterator[Any]:
    """All elements of nested lists, in their order."""
    if not isinstance(values, list):
        yield values
        return
    for item in values:
        yield from numbers_in(item)


def at(values: Any, index: Sequence[int]) -> Any:
    """What stands at a place of nested lists."""
    for place in index:
        values = values[place]
    return values


def slices(values: Any, shape: Sequence[int]) -> list[tuple[str, list[list[Any]]]]:
    """The last two dimensions for each place of the earlier ones, named as `0,1`: at most 64. A vector is one row."""
    leading = shape[:-2]
    places = list(product(*(range(size) for size in leading)))[:MOST_SLICES]
    return [(",".join(map(str, place)), _rows(at(values, place))) for place in places]


def matrix_of(rows: list[list[Any]], *, is_vector: bool = False) -> Matrix:
    """The rows, pooled where there are more than 64: of each block of cells the value of largest magnitude."""
    row_starts, column_starts = _starts(len(rows)), _starts(len(rows[0]))
    if len(row_starts) == len(rows) and len(column_starts) == len(rows[0]):
        return Matrix(rows=rows, row_starts=row_starts, column_starts=column_starts, is_vector=is_vector)
    row_ends, column_ends = [*row_starts[1:], len(rows)], [*column_starts[1:], len(rows[0])]
    pooled = [
        [
            _largest([value for row in rows[top:bottom] for value in row[left:right]])
            for left, right in zip(column_starts, column_ends, strict=True)
        ]
        for top, bottom in zip(row_starts, row_ends, strict=True)
    ]
    return Matrix(rows=pooled, row_starts=row_starts, column_starts=column_starts, is_vector=is_vector)


def block_of(starts: Sequence[int], index: int) -> int:
    """Which block an index fell into."""
    return max(number for number, start in enumerate(starts) if start <= index)


def _rows(values: Any) -> list[list[Any]]:
    return values if isinstance(values[0], list) else [values]


def _starts(length: int) -> list[int]:
    blocks = min(length, MOST_CELLS)
    return [block * length // blocks for block in range(blocks)]


def _largest(values: Sequence[Any]) -> Any:
    numbers = [finite(value) for value in values]
    if any(number is None for number in numbers):
        return math.nan
    return max(values, key=abs)
