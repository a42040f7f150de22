"""Tensors as pictures: matrices as heat maps, vectors as bars, further dimensions as slices to step through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.learn.axes import plane_axes
from exercises.learn.bars import bar_slot, bars
from exercises.learn.planes import Cells, Matrix, Plane, cell_text, cells_for, heat_map
from exercises.learn.scales import Scale, finite, ramp_looks, scale_of_values
from exercises.learn.slices import MOST_SLICES, block_of, extent, matrix_of, numbers_in, slices
from exercises.learn.values import number_text

FIRST_SLICES = 3
"""So many are shown where no script lets one step through them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp:
    """The colours of a scale with its limits in words."""

    looks: list[str]
    low: str
    high: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A tensor drawn. `spoken` says in a sentence what is seen, `number` is the value of one without dimensions.

    `sizes`, `names` and `start` are the leading dimensions: how many, what they are called, which place to show first.
    """

    name: str
    form: str
    spoken: str
    planes: list[Plane]
    number: str = ""
    sizes: str = ""
    names: str = ""
    start: str = ""
    ramp: Ramp | None = None
    notes: tuple[str, ...] = ()
    figures: str = ""

    @property
    def more_slices(self) -> str:
        """What is not shown without a script."""
        left = sum(not plane.is_first for plane in self.planes)
        return ngettext("and %(count)d more slice", "and %(count)d more slices", left) % {"count": left} if left else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketch:
    """A tensor about to be drawn: nested lists of this `shape`, and the names of its axes. `worst` is to be marked."""

    name: str
    form: str
    values: Any
    shape: tuple[int, ...]
    axes: tuple[str, ...]
    worst: tuple[int, ...] | None = None

    @property
    def is_truth(self) -> bool:
        """Whether it is a mask: truth values alone."""
        return all(isinstance(value, bool) for value in numbers_in(self.values))

    @property
    def matrices(self) -> list[tuple[str, Matrix]]:
        return [(key, matrix_of(rows, is_vector=len(self.shape) == 1)) for key, rows in slices(self.values, self.shape)]


def sketch_of(
    name: str, form: str, values: Any, *, axes: tuple[str, ...] = (), worst: tuple[int, ...] | None = None
) -> Sketch | None:
    """The tensor, if it can be drawn: all of its elements are numbers, and it has some."""
    shape = extent(values)
    if shape is None or 0 in shape:
        return None
    named = axes if len(axes) == len(shape) else ("",) * len(shape)
    return Sketch(name=name, form=form, values=values, shape=shape, axes=named, worst=worst)


def common_scale(sketches: Sequence[Sketch]) -> Scale:
    """One scale for all of these, so that the same colour means the same number."""
    if all(sketch.is_truth for sketch in sketches):
        return Scale(kind="values", low=0.0, high=1.0)
    return scale_of_values(value for sketch in sketches for value in numbers_in(sketch.values))


def common_cells(sketches: Sequence[Sketch]) -> Cells:
    """A size of cells that suits all of these."""
    return cells_for([matrix for sketch in sketches for _key, matrix in sketch.matrices])


def picture_of(sketch: Sketch, *, beside: Sequence[Sketch] = ()) -> Picture:
    """The picture, in the colours and sizes that it shares with those that stand `beside` it."""
    together = [sketch, *beside]
    scale = common_scale(together)
    if not sketch.shape:
        number = number_text(sketch.values) if finite(sketch.values) is not None else cell_text(sketch.values)
        return Picture(name=sketch.name, form=sketch.form, spoken="", planes=[], number=number)
    if len(sketch.shape) == 1 and not sketch.is_truth:
        flat = [other for other in together if len(other.shape) == 1]
        return _picture(sketch, scale, [_bars(sketch, scale, flat)], has_text=True)
    cells = common_cells([other for other in together if len(other.shape) == len(sketch.shape)])
    return _picture(sketch, scale, heat_maps(sketch, scale, cells), has_text=cells.has_text)


def heat_maps(sketch: Sketch, scale: Scale, cells: Cells) -> list[Plane]:
    """A heat map for each slice; those to be shown without a script are marked as first."""
    axes, start = plane_axes(sketch.axes), start_of(sketch)
    planes = []
    for number, (key, matrix) in enumerate(sketch.matrices):
        mark = _mark(sketch, key, matrix)
        plane = heat_map(matrix, scale, cells, axes=axes, mark=mark)
        planes.append(replace(plane, key=key, is_first=number < FIRST_SLICES or key == start))
    return planes


def start_of(sketch: Sketch) -> str:
    """The slice to look at first: that of the worst element, else the first."""
    leading = len(sketch.shape) - 2
    if leading < 1:
        return ""
    place = sketch.worst[:leading] if sketch.worst else (0,) * leading
    return ",".join(map(str, place))


def ramp_of(scale: Scale) -> Ramp:
    """The scale as it stands below a picture."""
    return Ramp(looks=ramp_looks(scale), low=number_text(scale.low), high=number_text(scale.high))


def notes_on(sketch: Sketch) -> tuple[str, ...]:
    """What a reader must know of the picture: that cells stand for several elements, that slices are missing."""
    notes = []
    first = sketch.matrices[0][1]
    if (
        len(first.row_starts) < sketch.shape[-2:][0]
        and len(sketch.shape) > 1
        or len(first.column_starts) < sketch.shape[-1]
    ):
        notes.append(_("Pooled: each cell shows the largest magnitude of several elements."))
    if len(sketch.matrices) == MOST_SLICES and math.prod(sketch.shape[:-2]) > MOST_SLICES:
        notes.append(_("The first %(count)d slices.") % {"count": MOST_SLICES})
    return tuple(notes)


def leading_of(sketch: Sketch) -> dict[str, str]:
    """The fields of a picture that say how to step through its slices; nothing where there is only one."""
    leading = len(sketch.shape) - 2
    if leading < 1 or len(sketch.matrices) < 2:
        return {}
    return {
        "sizes": ",".join(map(str, sketch.shape[:leading])),
        "names": ",".join(name.replace(",", " ") for name in sketch.axes[:leading]),
        "start": start_of(sketch),
    }


def _picture(sketch: Sketch, scale: Scale, planes: list[Plane], *, has_text: bool) -> Picture:
    notes, is_truth = notes_on(sketch), sketch.is_truth
    return Picture(
        name=sketch.name,
        form=sketch.form,
        spoken=_spoken(sketch),
        planes=planes,
        ramp=None if has_text or is_truth else ramp_of(scale),
        notes=(*notes, _("Yellow is True, blue is False.")) if is_truth and not has_text else notes,
        **leading_of(sketch),
    )


def _bars(sketch: Sketch, scale: Scale, beside: Sequence[Sketch]) -> Plane:
    (_key, matrix), slot = sketch.matrices[0], bar_slot([other.matrices[0][1].rows[0] for other in beside])
    mark = block_of(matrix.column_starts, sketch.worst[0]) if sketch.worst else None
    return bars(matrix, scale, slot=slot, axis=sketch.axes[-1], mark=mark)


def _mark(sketch: Sketch, key: str, matrix: Matrix) -> tuple[int, int] | None:
    if sketch.worst is None or key != start_of(sketch):
        return None
    row, column = (0, *sketch.worst)[-2:]
    return block_of(matrix.row_starts, row), block_of(matrix.column_starts, column)


def _spoken(sketch: Sketch) -> str:
    values = list(numbers_in(sketch.values))
    numbers = [number for value in values if (number := finite(value)) is not None]
    words = [f"{sketch.name}: {sketch.form}"]
    if sketch.is_truth:
        words.append(_("%(true)d of %(count)d are True") % {"true": int(sum(numbers)), "count": len(values)})
    elif numbers:
        ends = {"low": number_text(min(numbers)), "high": number_text(max(numbers))}
        words.append(_("from %(low)s to %(high)s") % ends)
    if len(numbers) < len(values):
        words.append(_("%(count)d are NaN or infinite") % {"count": len(values) - len(numbers)})
    return ", ".join(words)
