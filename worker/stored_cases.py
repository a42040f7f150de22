"""Cases of an exercise as one blob, which begins with the number of its layout."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from decimal import Decimal
from typing import Any, Final

from worker.cases import BLOB_BYTES, Case, CasesError, MistakeOutput
from worker.sandbox.job import MEBIBYTE, Call, Probes, Value
from worker.sandbox.wire import WireError, dump_value, load_value

FORMAT: Final = 2
"""Grows with each change of what a blob holds or of how it holds it; blobs of other layouts are made anew."""

_HEAD: Final = struct.Struct(">4sI")
_MARK: Final = b"case"


class OtherLayoutError(Exception):
    """The blob was written by another version of the product: its cases are to be made anew."""


def dump_cases(cases: Sequence[Case]) -> bytes:
    """One blob of at most 16 MiB. Raises: CasesError when there is more."""
    try:
        blob = _HEAD.pack(_MARK, FORMAT) + dump_value([_plain(case) for case in cases])
    except WireError as error:
        raise CasesError(f"cases.py: what the cases hold cannot be kept: {error}") from error
    if len(blob) > BLOB_BYTES:
        raise CasesError(
            "cases.py: inputs, expected outputs and outputs of mistakes may take "
            f"{BLOB_BYTES // MEBIBYTE} MB together, and take {math.ceil(len(blob) / MEBIBYTE)} MB. "
            "Use smaller tensors or fewer draws."
        )
    return blob


def load_cases(blob: bytes) -> tuple[Case, ...]:
    """What `dump_cases` wrote. Raises: OtherLayoutError for a blob of another layout."""
    if blob[: _HEAD.size] != _HEAD.pack(_MARK, FORMAT):
        raise OtherLayoutError(f"expected cases of layout {FORMAT}, found a blob that begins with {blob[:8].hex()}")
    entries = load_value(blob[_HEAD.size :])
    assert isinstance(entries, list)
    return tuple(_case(entry) for entry in entries)


def _plain(case: Case) -> Value:
    return {
        "index": case.index,
        "draw": case.draw,
        "points": str(case.points),
        "name": case.call.name,
        "visible": case.call.visible,
        "args": case.call.args,
        "kwargs": case.call.kwargs,
        "init": case.call.init,
        "state": case.call.state,
        "probes": _plain_probes(case.call.probes),
        "expected": case.expected,
        "gradients": None if case.gradients is None else dict(case.gradients),
        "parameters": case.parameters,
        "targets": case.targets,
        "mistakes": {slug: _plain_mistake(output) for slug, output in case.mistakes.items()},
    }


def _plain_probes(probes: Probes | None) -> Value:
    return None if probes is None else asdict(probes)


def _plain_mistake(output: MistakeOutput) -> dict[str, Value]:
    return {field.name: getattr(output, field.name) for field in fields(output)}


def _case(entry: Any) -> Case:
    call = Call(**{field: entry[field] for field in ("name", "visible", "args", "kwargs", "init", "state")})
    if entry["probes"] is not None:
        call = replace(call, probes=Probes(**entry["probes"]))
    mistakes = {slug: MistakeOutput(**output) for slug, output in entry["mistakes"].items()}
    return Case(
        index=entry["index"],
        draw=entry["draw"],
        points=Decimal(entry["points"]),
        call=call,
        expected=entry["expected"],
        mistakes=mistakes,
        gradients=entry["gradients"],
        parameters=entry["parameters"],
        targets=entry["targets"],
    )
