"""Where things stand in a picture of a matrix or a vector. All lengths are pixels of the drawing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exercises.learn.scales import Scale, finite
from exercises.learn.values import number_text

CHARACTER = 6.6
"""Width of a character of the code font at 11 px."""
WIDEST_WITH_TEXT = 480
MOST_ROWS_WITH_TEXT = 24
TEXT_HEIGHT = 24
LEAST_TEXT_WIDTH = 28
CELL = 14
SMALL_CELL = 10
FEW = 24
LEAST_DECIMAL = 0.0005
MOST_CELLS = 64
TICK_HEIGHT = 18
NAME_HEIGHT = 18
AXIS_LINE = 12
GAP = 1
HATCH = 5
MAY_OVERFLOW = 250
"""On the narrowest phone a drawing that is wider has to be scrolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words at a place; `look` is a class."""

    x: float
    y: float
    text: str
    look: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A path in one colour."""

    look: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The same numbers as a table: what stands above the columns, and rows with what stands before them."""

    columns: list[str]
    rows: list[tuple[str, list[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """One drawing. `key` is its place among the leading dimensions, as `0,1`; empty where there are none.

    `left`, `top` and `cell_width`, `cell_height` say where cells begin and how large they are, for who points at one.
    """

    width: float
    height: float
    left: float
    top: float
    cell_width: float
    cell_height: float
    shapes: list[Shape]
    texts: list[Text]
    ticks: list[Text]
    table: Table
    outline: Box | None = None
    key: str = ""
    is_first: bool = True

    @property
    def may_scroll(self) -> bool:
        return self.width > MAY_OVERFLOW

    @property
    def index(self) -> str:
        """Its place among the leading dimensions, as code has it."""
        return f"[{self.key.replace(',', ', ')}, :, :]" if self.key else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """The size of a cell, and whether its value is written into it."""

    width: float
    height: float
    has_text: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """Rows of one length, at most 64 × 64 cells; `row_starts` and `column_starts` are the indices they stand for.

    A vector is one row, which has no index.
    """

    rows: list[list[Any]]
    row_starts: list[int]
    column_starts: list[int]
    is_vector: bool = False

    @property
    def row_labels(self) -> list[str]:
        return [""] if self.is_vector else [str(start) for start in self.row_starts]


def cell_text(value: Any) -> str:
    """A number as it stands in a cell: in at most four digits and four decimals, T or F for truth values."""
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, float) and LEAST_DECIMAL <= abs(value) < 1:
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return table_text(value).replace("e-0", "e-").replace("e+0", "e")


def table_text(value: Any) -> str:
    """A number as it stands in a table, in at most four digits."""
    return "NaN" if value is None or value == "nan" else number_text(value)


def cells_for(matrices: Sequence[Matrix]) -> Cells:
    """A size that suits all of these, so that they can be compared side by side."""
    rows = max(len(matrix.rows) for matrix in matrices)
    columns = max(len(matrix.column_starts) for matrix in matrices)
    longest = max((len(cell_text(value)) for matrix in matrices for row in matrix.rows for value in row), default=0)
    width = max(longest * CHARACTER + 10, LEAST_TEXT_WIDTH)
    if width * columns <= WIDEST_WITH_TEXT and rows <= MOST_ROWS_WITH_TEXT:
        return Cells(width=round(width), height=TEXT_HEIGHT, has_text=True)
    side = CELL if max(rows, columns) <= FEW else SMALL_CELL
    return Cells(width=side, height=side, has_text=False)


def heat_map(
    matrix: Matrix, scale: Scale, cells: Cells, *, axes: tuple[str, str] = ("", ""), mark: tuple[int, int] | None = None
) -> Plane:
    """A matrix in colours; `axes` names its rows and columns, `mark` is a cell (of the drawing) to be outlined."""
    left = _margin(matrix.row_labels, axes[0])
    top = TICK_HEIGHT + (NAME_HEIGHT if any(axes) else 0)
    shapes, texts = _coloured(matrix, scale, cells, left=left, top=top)
    ground = Box(
        x=left - GAP,
        y=top - GAP,
        width=len(matrix.column_starts) * cells.width + GAP,
        height=len(matrix.rows) * cells.height + GAP,
    )
    return Plane(
        width=ground.x + ground.width + 2,
        height=ground.y + ground.height + 2,
        left=left,
        top=top,
        cell_width=cells.width,
        cell_height=cells.height,
        shapes=[
            Shape(look="grid", path=_filled(ground)),
            *axis_arrows(axes, left, AXIS_LINE),
            *shapes,
        ],
        texts=texts,
        ticks=[*_axis_names(axes, left), *_ticks(matrix, cells, left, top)],
        table=table_of(matrix),
        outline=None if mark is None else _box(*mark, left, top, cells),
    )


def _coloured(matrix: Matrix, scale: Scale, cells: Cells, *, left: float, top: float) -> tuple[list[Shape], list[Text]]:
    """The cells, one path for each colour, and the words in them."""
    paths: dict[str, list[str]] = defaultdict(list)
    texts = []
    for row, values in enumerate(matrix.rows):
        for column, value in enumerate(values):
            box = _box(row, column, left, top, cells)
            step = None if (number := finite(value)) is None else scale.step(number)
            paths["unknown" if step is None else scale.look(step)].append(_filled(box))
            if step is None:
                paths["hatch"].append(_hatched(box))
            if cells.has_text:
                texts.append(_cell_words(box, value, "over" if step is None else _ink(scale, step)))
    ordered = sorted(paths.items(), key=_hatch_last)
    return [Shape(look=look, path="".join(parts)) for look, parts in ordered], texts


def table_of(matrix: Matrix) -> Table:
    """The numbers of a matrix with their indices."""
    return Table(
        columns=[str(start) for start in matrix.column_starts],
        rows=[
            (label, [table_text(value) for value in row])
            for label, row in zip(matrix.row_labels, matrix.rows, strict=True)
        ],
    )


def tick_indices(count: int, step: float, *, width: float) -> list[int]:
    """Which of the indices are written so that labels of this width do not touch, `step` being a cell's length."""
    every = next(every for every in (1, 2, 4, 8, 16, 32, 64, 128) if every * step >= width or every >= count)
    return list(range(0, count, every))


def _hatch_last(item: tuple[str, list[str]]) -> tuple[bool, str]:
    return item[0] == "hatch", item[0]


def _margin(labels: Sequence[str], name: str) -> float:
    widest = max(len(labels[-1]), len(name) + 3 if name else 0)
    return widest * CHARACTER + 8 if widest else 1


def _box(row: int, column: int, left: float, top: float, cells: Cells) -> Box:
    return Box(
        x=left + column * cells.width,
        y=top + row * cells.height,
        width=cells.width - GAP,
        height=cells.height - GAP,
    )


def _filled(box: Box) -> str:
    return f"M{box.x:g} {box.y:g}h{box.width:g}v{box.height:g}h-{box.width:g}z"


def _hatched(box: Box) -> str:
    """Lines at 45 degrees that end at the cell's border, so that no pattern with a name is needed."""
    lines = []
    for along in range(HATCH, int(box.width + box.height), HATCH):
        x, y = box.x + max(0, along - box.height), box.y + min(along, box.height)
        to_x, to_y = box.x + min(along, box.width), box.y + max(0, along - box.width)
        lines.append(f"M{x:g} {y:g}L{to_x:g} {to_y:g}")
    return "".join(lines)


def _cell_words(box: Box, value: Any, look: str) -> Text:
    return Text(x=box.x + box.width / 2, y=box.y + box.height / 2 + 4, text=cell_text(value), look=look)


def _ink(scale: Scale, step: int) -> str:
    return "on-dark" if scale.is_dark(step) else "on-light"


def _axis_names(axes: tuple[str, str], left: float) -> list[Text]:
    named = zip((0.0, left), axes, strict=True)
    return [Text(x=x, y=AXIS_LINE, text=name, look="axis") for x, name in named if name]


def axis_arrows(axes: tuple[str, str], left: float, y: float) -> list[Shape]:
    """An arrow behind each name, down along the rows and right along the columns; fonts have none that match."""
    rows, columns = axes
    paths = []
    if rows:
        paths.append(f"M{len(rows) * CHARACTER + 8:.4g} {y - 8:g}v8m-3 -3l3 3l3 -3")
    if columns:
        paths.append(f"M{left + len(columns) * CHARACTER + 5:.4g} {y - 4:g}h9m-3 -3l3 3l-3 3")
    return [Shape(look="arrow", path="".join(paths))] if paths else []


def _ticks(matrix: Matrix, cells: Cells, left: float, top: float) -> list[Text]:
    widest = (len(str(matrix.column_starts[-1])) + 1) * CHARACTER if matrix.column_starts else CHARACTER
    columns = [
        Text(x=left + (index + 0.5) * cells.width, y=top - 6, text=str(matrix.column_starts[index]), look="middle")
        for index in tick_indices(len(matrix.column_starts), cells.width, width=widest)
    ]
    rows = [
        Text(x=left - 6, y=top + (index + 0.5) * cells.height + 4, text=matrix.row_labels[index], look="end")
        for index in tick_indices(len(matrix.rows), cells.height, width=TICK_HEIGHT - 5)
    ]
    return [*columns, *rows]
