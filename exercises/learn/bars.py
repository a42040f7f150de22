"""A vector as bars that stand on zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exercises.learn.planes import (
    CHARACTER,
    TICK_HEIGHT,
    WIDEST_WITH_TEXT,
    Box,
    Matrix,
    Plane,
    Shape,
    Text,
    axis_arrows,
    cell_text,
    table_of,
    tick_indices,
)
from exercises.learn.scales import Scale, finite

HEIGHT = 84
ROOM_FOR_TEXT = 16
SLOT = 16
NARROW_SLOT = 7
FEW = 40
AXIS_GAP = 6


def bar_slot(vectors: Sequence[Sequence[Any]]) -> tuple[float, bool]:
    """The width that a bar with the space beside it takes, the same for all of these, and whether values fit above."""
    longest = max((len(cell_text(value)) for vector in vectors for value in vector), default=0)
    count = max(map(len, vectors), default=0)
    with_text = round(max(longest * CHARACTER + 8, 24))
    if with_text * count <= WIDEST_WITH_TEXT:
        return with_text, True
    return (SLOT if count <= FEW else NARROW_SLOT), False


def bars(matrix: Matrix, scale: Scale, *, slot: tuple[float, bool], axis: str = "", mark: int | None = None) -> Plane:
    """The one row of the matrix as bars; `mark` is the bar to be outlined."""
    values, (width, has_text) = matrix.rows[0], slot
    low, high = min(scale.low, 0.0), max(scale.high, 0.0)
    ends = [cell_text(high), cell_text(low)]
    left = max(len(end) for end in ends) * CHARACTER + AXIS_GAP + 2
    top = float(ROOM_FOR_TEXT if has_text else 6)
    places = [_bar(number, value, low, high, left=left, top=top, width=width) for number, value in enumerate(values)]
    base = top + _share(0.0, low, high) * HEIGHT
    bottom = top + HEIGHT + (ROOM_FOR_TEXT if has_text and low < 0 else 4)
    right = left + len(values) * width
    return Plane(
        width=right + 2,
        height=bottom + TICK_HEIGHT + (TICK_HEIGHT if axis else 0),
        left=left,
        top=top,
        cell_width=width,
        cell_height=HEIGHT,
        shapes=[
            *_shapes(values, places, base, left=left, right=right, top=top),
            *axis_arrows(("", axis), left, bottom + 2 * TICK_HEIGHT - 8),
        ],
        texts=_words(values, places, base) if has_text else [],
        ticks=[*_index_ticks(matrix, axis, left, width, bottom), *_limits(ends, low, high, base, left=left, top=top)],
        table=table_of(matrix),
        outline=None if mark is None else places[mark],
    )


def _share(value: float, low: float, high: float) -> float:
    """How far below the top a value stands, 0 to 1."""
    half = high / 2 - low / 2
    return (high / 2 - min(max(value, low), high) / 2) / half if half > 0 else 1.0


def _bar(number: int, value: Any, low: float, high: float, *, left: float, top: float, width: float) -> Box:
    x, gap = left + number * width, 2 if width > NARROW_SLOT else 1
    found = finite(value)
    if found is None:
        return Box(x=x + gap, y=top, width=width - 2 * gap, height=HEIGHT)
    base, end = _share(0.0, low, high) * HEIGHT, _share(found, low, high) * HEIGHT
    return Box(x=x + gap, y=top + min(base, end), width=width - 2 * gap, height=max(abs(end - base), 1.0))


def _shapes(
    values: Sequence[Any], places: Sequence[Box], base: float, *, left: float, right: float, top: float
) -> list[Shape]:
    known = [box for value, box in zip(values, places, strict=True) if finite(value) is not None]
    unknown = [box for value, box in zip(values, places, strict=True) if finite(value) is None]
    shapes = [Shape(look="bar-shape", path="".join(map(_filled, known)))]
    if unknown:
        shapes += [
            Shape(look="unknown", path="".join(map(_filled, unknown))),
            Shape(look="hatch", path="".join(map(_hatched, unknown))),
        ]
    line = f"M{left:g} {base:g}H{right:g}M{left - 1:g} {top:g}V{top + HEIGHT:g}"
    return [*shapes, Shape(look="line", path=line)]


def _filled(box: Box) -> str:
    return f"M{box.x:.4g} {box.y:.4g}h{box.width:.4g}v{box.height:.4g}h-{box.width:.4g}z"


def _hatched(box: Box) -> str:
    steps = range(4, int(box.height), 6)
    return "".join(f"M{box.x:.4g} {box.y + step:.4g}l{box.width:.4g} -4" for step in steps)


def _words(values: Sequence[Any], places: Sequence[Box], base: float) -> list[Text]:
    words = []
    for value, box in zip(values, places, strict=True):
        number = finite(value)
        y = box.y + box.height + 12 if number is not None and number < 0 else box.y - 4
        if number is None:
            y = base - 4 if base > HEIGHT / 2 else base + 12
        look = "over" if number is None else "plain"
        words.append(Text(x=box.x + box.width / 2, y=y, text=cell_text(value), look=look))
    return words


def _index_ticks(matrix: Matrix, axis: str, left: float, width: float, bottom: float) -> list[Text]:
    starts = matrix.column_starts
    shown = tick_indices(len(starts), width, width=(len(str(starts[-1])) + 1) * CHARACTER)
    y = bottom + TICK_HEIGHT - 6
    ticks = [Text(x=left + (index + 0.5) * width, y=y, text=str(starts[index]), look="middle") for index in shown]
    return [*ticks, *([Text(x=left, y=y + TICK_HEIGHT - 2, text=axis, look="axis")] if axis else [])]


def _limits(ends: Sequence[str], low: float, high: float, base: float, *, left: float, top: float) -> list[Text]:
    x = left - AXIS_GAP
    shown = [Text(x=x, y=base + 4, text="0", look="end")]
    if high > 0 and base - top > ROOM_FOR_TEXT:
        shown.append(Text(x=x, y=top + 8, text=ends[0], look="end"))
    if low < 0 and top + HEIGHT - base > ROOM_FOR_TEXT:
        shown.append(Text(x=x, y=top + HEIGHT, text=ends[1], look="end"))
    return shown
