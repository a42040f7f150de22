"""Tensors that a run left, as pictures of what the worker could show of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from exercises.choices import LAST_VALUE
from exercises.learn.pictures import Picture, picture_of, sketch_of
from exercises.learn.slices import extent
from exercises.learn.values import number_text


def left_picture(summary: Mapping[str, Any]) -> Picture:
    """A summary of a tensor (name, dtype, shape, min, max, mean, preview) drawn; words alone where nothing can be."""
    shape, preview = list(summary["shape"]), summary.get("preview")
    name = _("Value of the last line") if summary["name"] == LAST_VALUE else summary["name"]
    form = f"{summary['dtype']} {shape}{_cut(shape, preview)}"
    sketch = None if preview is None else sketch_of(name, form, preview)
    picture = (
        picture_of(sketch) if sketch else Picture(name=name, form=form, spoken="", planes=[], number=_text(preview))
    )
    return replace(picture, figures=_figures(summary) if shape else "")


def _cut(shape: list[int], preview: Any) -> str:
    """What is said of a preview that is not the whole tensor."""
    shown = extent(preview)
    if preview is None or 0 in shape or shown is None or list(shown) == shape:
        return ""
    if len(shown) < len(shape):
        return ", " + _("first slice")
    return ", " + _("the beginning: %(shape)s") % {"shape": list(shown)}


def _text(preview: Any) -> str:
    """What cannot be drawn, such as complex numbers, as it stands."""
    if not isinstance(preview, list):
        return "" if preview is None else number_text(preview)
    return f"[{', '.join(_text(item) for item in preview)}]" if preview else ""


def _figures(summary: Mapping[str, Any]) -> str:
    named = (
        (_("least"), summary.get("min")),
        (_("largest"), summary.get("max")),
        (_("mean"), summary.get("mean")),
    )
    return " · ".join(f"{word} {number_text(value)}" for word, value in named if value is not None)
