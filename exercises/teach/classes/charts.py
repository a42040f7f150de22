"""Charts as drawings, each with its numbers as a table. All lengths are pixels; a drawing fits the narrowest phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exercises.learn.planes import Shape, Text

WIDTH = 312
ROW_HEIGHT = 36
BAR_TOP = 19
BAR_HEIGHT = 8
LABEL_BASE = 13
LONGEST_LABEL = 38
COLUMN_HEIGHT = 104
COLUMN_TOP = 18
COLUMN_GAP = 3
TICK_ROOM = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One value of a chart. `text` is the value in words, `part` its share of the longest bar possible, 0 to 1."""

    label: str
    text: str
    part: float
    is_accent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """`spoken` says in a sentence what is drawn; `head` and `rows` are the same as a table."""

    spoken: str
    width: int
    height: int
    shapes: list[Shape]
    texts: list[Text]
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


def bar_chart(spoken: str, bars: Sequence[Bar], *, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Chart:
    """Bars to the right, one below the other, each under its label."""
    shapes, texts = [], []
    for number, bar in enumerate(bars):
        top = number * ROW_HEIGHT
        shapes += [
            Shape(look="track", path=_box(0, top + BAR_TOP, WIDTH, BAR_HEIGHT)),
            Shape(look=_look(bar), path=_box(0, top + BAR_TOP, WIDTH * bar.part, BAR_HEIGHT)),
        ]
        texts += [
            Text(x=0, y=top + LABEL_BASE, text=_cut(bar.label)),
            Text(x=WIDTH, y=top + LABEL_BASE, text=bar.text, look="end"),
        ]
    height = len(bars) * ROW_HEIGHT
    return Chart(spoken=spoken, width=WIDTH, height=height, shapes=shapes, texts=texts, head=head, rows=list(rows))


def column_chart(spoken: str, bars: Sequence[Bar], *, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Chart:
    """Columns side by side, each with its value above and its label below."""
    shapes, texts = [], []
    slot, base = WIDTH / len(bars), COLUMN_TOP + COLUMN_HEIGHT
    for number, bar in enumerate(bars):
        height = bar.part * COLUMN_HEIGHT
        left, middle = number * slot, (number + 0.5) * slot
        shapes.append(
            Shape(look=_look(bar), path=_box(left + COLUMN_GAP / 2, base - height, slot - COLUMN_GAP, height))
        )
        texts += [
            Text(x=middle, y=base - height - 5, text=bar.text, look="middle"),
            Text(x=middle, y=base + TICK_ROOM - 5, text=bar.label, look="middle tick"),
        ]
    shapes.append(Shape(look="line", path=f"M0 {base}H{WIDTH}"))
    return Chart(
        spoken=spoken,
        width=WIDTH,
        height=base + TICK_ROOM,
        shapes=shapes,
        texts=texts,
        head=head,
        rows=list(rows),
    )


def _box(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.4g} {y:.4g}h{width:.4g}v{height:.4g}h-{width:.4g}z"


def _look(bar: Bar) -> str:
    return "measured accent" if bar.is_accent else "measured"


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1].rstrip()}…"
