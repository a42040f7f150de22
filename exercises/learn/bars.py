"""A vector as bars that stand on zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    margin = max(len(cell_text(high)), len(cell_text(low))) * CHARACTER + AXIS_GAP + 2
    frame = _Frame(low=low, high=high, left=margin, top=ROOM_FOR_TEXT if has_text else 6, width=width)
    places = [_bar(number, value, frame) for number, value in enumerate(values)]
    bottom = frame.top + HEIGHT + (ROOM_FOR_TEXT if has_text and low < 0 else 4)
    return Plane(
        width=frame.left + len(values) * width + 2,
        height=bottom + TICK_HEIGHT + (TICK_HEIGHT if axis else 0),
        left=frame.left,
        top=frame.top,
        cell_width=width,
        cell_height=HEIGHT,
        shapes=[
            *_shapes(values, places, frame),
            *axis_arrows(("", axis), frame.left, bottom + 2 * TICK_HEIGHT - 8),
        ],
        texts=_words(values, places, frame) if has_text else [],
        ticks=[*_index_ticks(matrix, axis, frame, bottom), *_limits(frame)],
        table=table_of(matrix),
        outline=None if mark is None else places[mark],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """Where bars stand: from `low` to `high`, zero among them, each in a slot of this `width`."""

    low: float
    high: float
    left: float
    top: float
    width: float

    def y(self, value: float) -> float:
        """The height of a value in the drawing."""
        half = self.high / 2 - self.low / 2
        share = (self.high / 2 - min(max(value, self.low), self.high) / 2) / half if half > 0 else 1.0
        return self.top + share * HEIGHT


def _bar(number: int, value: Any, frame: _Frame) -> Box:
    gap = 2 if frame.width > NARROW_SLOT else 1
    x, width = frame.left + number * frame.width + gap, frame.width - 2 * gap
    found = finite(value)
    if found is None:
        return Box(x=x, y=frame.top, width=width, height=HEIGHT)
    base, end = frame.y(0.0), frame.y(found)
    return Box(x=x, y=min(base, end), width=width, height=max(abs(end - base), 1.0))


def _shapes(values: Sequence[Any], places: Sequence[Box], frame: _Frame) -> list[Shape]:
    known = [box for value, box in zip(values, places, strict=True) if finite(value) is not None]
    unknown = [box for value, box in zip(values, places, strict=True) if finite(value) is None]
    shapes = [Shape(look="bar-shape", path="".join(map(_filled, known)))]
    if unknown:
        shapes += [
            Shape(look="unknown", path="".join(map(_filled, unknown))),
            Shape(look="hatch", path="".join(map(_hatched, unknown))),
        ]
    right = frame.left + len(values) * frame.width
    line = f"M{frame.left:g} {frame.y(0.0):g}H{right:g}M{frame.left - 1:g} {frame.top:g}v{HEIGHT}"
    return [*shapes, Shape(look="line", path=line)]


def _filled(box: Box) -> str:
    return f"M{box.x:.4g} {box.y:.4g}h{box.width:.4g}v{box.height:.4g}h-{box.width:.4g}z"


def _hatched(box: Box) -> str:
    steps = range(4, int(box.height), 6)
    return "".join(f"M{box.x:.4g} {box.y + step:.4g}l{box.width:.4g} -4" for step in steps)


def _words(values: Sequence[Any], places: Sequence[Box], frame: _Frame) -> list[Text]:
    words, base = [], frame.y(0.0)
    for value, box in zip(values, places, strict=True):
        number = finite(value)
        if number is None:
            y = base - 4 if base > HEIGHT / 2 else base + 12
        else:
            y = box.y + box.height + 12 if number < 0 else box.y - 4
        look = "over" if number is None else "plain"
        words.append(Text(x=box.x + box.width / 2, y=y, text=cell_text(value), look=look))
    return words


def _index_ticks(matrix: Matrix, axis: str, frame: _Frame, bottom: float) -> list[Text]:
    starts, y = matrix.column_starts, bottom + TICK_HEIGHT - 6
    shown = tick_indices(len(starts), frame.width, width=(len(str(starts[-1])) + 1) * CHARACTER)
    ticks = [
        Text(x=frame.left + (index + 0.5) * frame.width, y=y, text=str(starts[index]), look="middle") for index in shown
    ]
    return [*ticks, *([Text(x=frame.left, y=y + TICK_HEIGHT - 2, text=axis, look="axis")] if axis else [])]


def _limits(frame: _Frame) -> list[Text]:
    x, base = frame.left - AXIS_GAP, frame.y(0.0)
    shown = [Text(x=x, y=base + 4, text="0", look="end")]
    if frame.high > 0 and base - frame.top > ROOM_FOR_TEXT:
        shown.append(Text(x=x, y=frame.top + 8, text=cell_text(frame.high), look="end"))
    if frame.low < 0 and frame.top + HEIGHT - base > ROOM_FOR_TEXT:
        shown.append(Text(x=x, y=frame.top + HEIGHT, text=cell_text(frame.low), look="end"))
    return shown
