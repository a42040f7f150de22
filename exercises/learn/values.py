"""Values that a worker made showable (`{"dtype", "shape", "values"}` for a tensor) as text and as cells of a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

TENSOR_FIELDS = {"dtype", "shape", "values"}
COLOUR_STEPS = 9
LONGEST_TEXT = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One number of a preview; `look` is the class of its colour: a step of cividis, or hatched for NaN."""

    text: str
    look: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensor:
    """A tensor that a run left. `form` is its dtype and shape in words, `figures` its least, largest and mean value."""

    name: str
    form: str
    figures: str
    rows: list[list[Cell]]


def number_text(value: Any) -> str:
    """A number in at most four digits; whole numbers in all of theirs."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return "NaN"
    return f"{value:.4g}"


def text_of(value: Any) -> str:
    """A showable value as a reader of PyTorch would write it, within a cap."""
    text = _text(value, indent=0)
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} …"


def form_of(value: Any) -> str:
    """What a value is: dtype and shape of a tensor; nothing for other values."""
    return f"{value['dtype']} {value['shape']}" if _is_tensor(value) else ""


def tensor_of(summary: dict[str, Any]) -> Tensor:
    """A summary of a tensor (name, dtype, shape, min, max, mean, preview) as a picture."""
    low, high = summary.get("min"), summary.get("max")
    named = (("least", low), ("largest", high), ("mean", summary.get("mean")))
    rows = _rows(summary.get("preview"))
    shape = summary["shape"]
    cut = _cut(shape, rows)
    return Tensor(
        name=summary["name"],
        form=f"{summary['dtype']} {list(shape)}{cut}",
        figures=" · ".join(f"{word} {number_text(value)}" for word, value in named if value is not None),
        rows=[[_cell(value, low, high) for value in row] for row in rows],
    )


def _is_tensor(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() == TENSOR_FIELDS


def _text(value: Any, *, indent: int) -> str:
    if _is_tensor(value):
        if value["values"] is None:
            return f"(too large to show: {form_of(value)})"
        return _nested(value["values"], width=_width(value["values"]), indent=indent)
    if isinstance(value, dict):
        inner = [f"{name!r}: {_text(item, indent=indent + len(repr(name)) + 3)}" for name, item in value.items()]
        return "{" + f",\n{' ' * (indent + 1)}".join(inner) + "}"
    if isinstance(value, list):
        return "(" + f",\n{' ' * (indent + 1)}".join(_text(item, indent=indent + 1) for item in value) + ")"
    return repr(value) if isinstance(value, str) else number_text(value)


def _width(values: Any) -> int:
    if isinstance(values, list):
        return max((_width(item) for item in values), default=0)
    return len(number_text(values))


def _nested(values: Any, *, width: int, indent: int) -> str:
    if not isinstance(values, list):
        return number_text(values).rjust(width)
    if not values or not isinstance(values[0], list):
        return "[" + ", ".join(number_text(item).rjust(width) for item in values) + "]"
    # A blank line between matrices, as torch prints them.
    gap = ",\n\n" if isinstance(values[0], list) and values[0] and isinstance(values[0][0], list) else ",\n"
    return "[" + f"{gap}{' ' * (indent + 1)}".join(_nested(row, width=width, indent=indent + 1) for row in values) + "]"


def _rows(preview: Any) -> list[list[Any]]:
    if preview is None:
        return []
    if not isinstance(preview, list):
        return [[preview]]
    return preview if preview and isinstance(preview[0], list) else [preview] if preview else []


def _cut(shape: list[int], rows: list[list[Any]]) -> str:
    if not rows or len(shape) > 2:
        return ", first matrix" if len(shape) > 2 else ""
    shown = [len(rows), len(rows[0])][-len(shape) :] if shape else []
    return ", the beginning" if shown != list(shape) else ""


def _cell(value: Any, low: float | None, high: float | None) -> Cell:
    if isinstance(value, bool):
        return Cell(text=str(value), look=f"cell-{8 if value else 0}")
    if not isinstance(value, int | float):
        return Cell(text=str(value), look="cell-plain")
    if not math.isfinite(value):
        return Cell(text=number_text(value), look="cell-nan")
    if low is None or high is None or not math.isfinite(high - low):
        return Cell(text=number_text(value), look="cell-plain")
    # A run may have forged them: then a value lies anywhere.
    share = (min(max(value, low), high) - low) / (high - low) if high > low else 0.5
    return Cell(text=number_text(value), look=f"cell-{min(int(share * COLOUR_STEPS), COLOUR_STEPS - 1)}")
