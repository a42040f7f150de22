"""Inputs and outputs of a case, ready for a page: tensors as pictures, all else as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from exercises.learn.axes import RETURNS, Axes, axes_in, axis_names
from exercises.learn.differences import difference_in_map, difference_of
from exercises.learn.outside import Call, call_of, snippet_of
from exercises.learn.pictures import Picture, Sketch, picture_of, sketch_of
from exercises.learn.values import form_of, is_tensor, text_of
from graders.outcomes import Stage

_WIDE_CHARACTERS = 34
# Each holds the HTML of a case's inputs: 30 KB or so.
_DRAWN_AT_MOST = 128
_DRAWN_STAGES = {Stage.NAN, Stage.VALUES}


@dataclass(frozen=True, kw_only=True)
class Value:
    """An input or an output; `is_wide` texts take the whole line. A tensor has a picture, if it is not too large."""

    label: str
    text: str
    is_wide: bool = False
    picture: Picture | None = None

    @cached_property
    def html(self) -> SafeString:
        """The value as it stands on a page."""
        return render_to_string("exercises/_value.html", {"value": self})


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What an exercise calls things: the arguments of its entry, and the axes of tensors.

    With `call` a case can be reproduced outside.
    """

    names: Sequence[str] = ()
    axes: Axes
    call: Call | None = None

    def argument(self, number: int) -> str:
        """The name of an argument by its place."""
        return self.names[number] if number < len(self.names) else f"#{number + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One output: what was expected and what was got, as far as known, and a picture of how they differ."""

    values: list[Value]
    difference: Picture | None


def labels_of(definition: Mapping[str, Any], *, source: str | None = None) -> Labels:
    """The labels that a version's definition gives; with the `source` of a student its cases can be reproduced."""
    call = None if source is None else call_of(definition, source)
    starter, entry = definition["files"].get("starter.py", ""), definition["exercise"].get("entry", "")
    return Labels(names=argument_names(starter, entry), axes=axes_in(starter), call=call)


def argument_names(starter: str, entry: str) -> list[str]:
    """The names of the entry's arguments as the starting code has them; only for labels."""
    found = re.search(rf"^def {re.escape(entry)}\(([^()]*)\)", starter, re.MULTILINE) if entry else None
    names = [part.split(":")[0].split("=")[0].strip(" *\n") for part in found[1].split(",")] if found else []
    return [name for name in names if name.isidentifier()]


def named_inputs(shown: Mapping[str, Any], labels: Labels) -> list[tuple[str, Any]]:
    """The inputs of a visible case by name, in the order of the call; first what an object is built and loaded with."""
    init = shown.get("init") or {}
    built = [(f"init[{number}]", value) for number, value in enumerate(init.get("args") or [])]
    given = [(labels.argument(number), value) for number, value in enumerate(shown["args"])]
    return [
        *built,
        *(init.get("kwargs") or {}).items(),
        *(shown.get("state") or {}).items(),
        *given,
        *shown["kwargs"].items(),
    ]


def inputs_of(shown: Mapping[str, Any], labels: Labels) -> list[Value]:
    """The inputs of a visible case, named as the entry's arguments are."""
    given = json.dumps(named_inputs(shown, labels))
    return list(_drawn_inputs(given, tuple(labels.axes.items()), get_language()))


@lru_cache(maxsize=_DRAWN_AT_MOST)
def _drawn_inputs(given: str, axes: tuple[tuple[str, tuple[str, ...]], ...], _language: str) -> list[Value]:
    """Drawing them takes longer than all else of a panel, and they are the same for everybody."""
    return [
        _value(f"{name}{path}", part, _sketch(f"{name}{path}", part, dict(axes), name))
        for name, value in json.loads(given)
        for path, part in _parts(value)
    ]


def reproduction_of(shown: Mapping[str, Any], labels: Labels) -> str:
    """A program that reproduces a visible case; empty where that cannot be."""
    names = [labels.argument(number) for number in range(len(shown["args"]))]
    return snippet_of(labels.call, shown, names) if labels.call else ""


def expected_of(shown: Mapping[str, Any], labels: Labels) -> list[Value]:
    """The expected output of a visible case."""
    return [
        value for output in outputs_of({"expected": shown["expected"]}, {}, labels=labels) for value in output.values
    ]


def outputs_of(
    known: Mapping[str, Any], told: Mapping[str, Any], *, labels: Labels, stage: str = "", summary: str = ""
) -> list[Output]:
    """What is `known` of the outputs of a case, under `expected` and `actual`; several where they hold several tensors.

    `told` are the graders' details of the mismatch at this `stage`, `summary` their sentence on it.
    """
    sides = {side: dict(_parts(known[side])) for side in ("expected", "actual") if side in known}
    judged = _Judged(told=told if stage else {}, is_of_values=stage in _DRAWN_STAGES, summary=summary)
    paths = {path: None for parts in sides.values() for path in parts}
    outputs = [
        _output(path, {side: parts[path] for side, parts in sides.items() if path in parts}, labels, judged)
        for path in paths
    ]
    drawn = None if any(output.difference for output in outputs) else _from_map(judged, labels)
    if drawn and judged.is_of_values and len(outputs) == 1:
        return [replace(outputs[0], difference=drawn)]
    return [*outputs, Output(values=[], difference=drawn)] if drawn else outputs


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    """What the graders told: where outputs differ, whether by their values, and a sentence on it."""

    told: Mapping[str, Any]
    is_of_values: bool
    summary: str

    def is_about(self, path: str) -> bool:
        """Whether it is the values of this output that differ."""
        return self.is_of_values and self.told.get("path", "") == path

    def worst_in(self, path: str, part: Any) -> tuple[int, ...] | None:
        """The place of the worst element, if this output has it."""
        worst = self.told.get("worst")
        if not worst or not self.is_about(path) or not is_tensor(part):
            return None
        index, shape = tuple(worst["index"]), part["shape"]
        is_there = len(index) == len(shape) and all(place < size for place, size in zip(index, shape, strict=True))
        return index if is_there else None


def _output(path: str, found: Mapping[str, Any], labels: Labels, judged: _Judged) -> Output:
    words = {"expected": _("Expected"), "actual": _("Got")}
    sketches = {
        side: _sketch(f"{words[side]}{path}", part, labels.axes, RETURNS, worst=judged.worst_in(path, part))
        for side, part in found.items()
    }
    drawn = [sketch for sketch in sketches.values() if sketch is not None]
    values = [_value(f"{words[side]}{path}", part, sketches[side], drawn) for side, part in found.items()]
    expected, actual = sketches.get("expected"), sketches.get("actual")
    if not judged.is_about(path) or expected is None or actual is None or expected.shape != actual.shape:
        return Output(values=values, difference=None)
    is_scalar = not expected.shape
    difference = None if is_scalar else difference_of(expected, actual, path=path, summary=judged.summary)
    return Output(values=values, difference=difference)


def _from_map(judged: _Judged, labels: Labels) -> Picture | None:
    told = judged.told
    rank = len(told.get("expected_shape") or ())
    # Of a gradient the axes are those of its argument.
    axes = axis_names(labels.axes, told.get("argument") or RETURNS, rank)
    return difference_in_map(told, axes=axes, summary=judged.summary)


def _parts(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Tensors in containers one by one, with their paths as the graders write them; all else as it is."""
    if is_tensor(value) or not _holds_tensor(value):
        yield path, value
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _parts(item, f'{path}["{name}"]')
    else:
        for number, item in enumerate(value):
            yield from _parts(item, f"{path}[{number}]")


def _holds_tensor(value: Any) -> bool:
    if is_tensor(value):
        return True
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(_holds_tensor(item) for item in inside)


def _sketch(label: str, value: Any, axes: Axes, name: str, *, worst: tuple[int, ...] | None = None) -> Sketch | None:
    if not is_tensor(value) or value["values"] is None:
        return None
    names = axis_names(axes, name, len(value["shape"]))
    return sketch_of(label, form_of(value), value["values"], axes=names, worst=worst)


def _value(label: str, value: Any, sketch: Sketch | None, beside: Sequence[Sketch] = ()) -> Value:
    text, form = text_of(value), form_of(value)
    others = [other for other in beside if other is not sketch]
    return Value(
        label=f"{label} · {form}" if form else label,
        text=text,
        is_wide=max(len(line) for line in text.split("\n")) > _WIDE_CHARACTERS and not is_tensor(value),
        picture=picture_of(sketch, beside=others) if sketch else None,
    )
