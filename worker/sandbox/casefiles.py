"""The lists that an author's `cases.py` returns, checked: its faults are named by place."""

from __future__ import annotations

from typing import Any

from worker.sandbox.job import Unsupported, Value

_DEFAULTS: dict[str, Any] = {"args": (), "kwargs": {}, "points": 1, "init": None, "state": None}
_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "args": (list, tuple),
    "kwargs": (dict,),
    "points": (int, float),
    "init": (dict, type(None)),
    "state": (dict, type(None)),
}
_INIT_KINDS: dict[str, tuple[type, ...]] = {"args": (list, tuple), "kwargs": (dict,)}
_WORDS = {str: "text", list: "a list", dict: "a dictionary", int: "a number"}


class CaseError(Exception):
    """An author's mistake in what `cases.py` returns."""


def checked_cases(value: Value, function: str) -> list[dict[str, Any]]:
    """The cases that `function` returned, defaults filled in.

    Raises: CaseError (no list of cases, an unknown or missing field, a wrong type, or an input that is no value).
    """
    if isinstance(value, Unsupported):
        raise CaseError(f"{function} returned {value.kind}; expected a list of cases")
    if not isinstance(value, list | tuple):
        raise CaseError(f"{function} returned {type(value).__name__}; expected a list of cases")
    return [_checked_case(case, f"{function}[{index}]") for index, case in enumerate(value)]


def _checked_case(case: Value, place: str) -> dict[str, Any]:
    if not isinstance(case, dict):
        raise CaseError(f"{place} is no dictionary; expected one with {', '.join(_KINDS)}")
    _check_fields(case, _KINDS, place)
    if not case.get("name"):
        raise CaseError(f"{place} has no name")
    if isinstance(case.get("init"), dict):
        _check_fields(case["init"], _INIT_KINDS, f"{place}.init")  # type: ignore[arg-type]  # a dictionary by the line above
    if not 0 <= case.get("points", 1) < float("inf"):  # type: ignore[operator]  # a number by the check of fields
        raise CaseError(f"{place}.points must be a number from 0")
    _refuse_unsupported(case, place)
    filled = {"name": case["name"], **{field: case.get(field, default) for field, default in _DEFAULTS.items()}}
    # What predictions are measured by; most exercises have none.
    return {**filled, "targets": case["targets"]} if "targets" in case else filled


def _check_fields(found: dict[str, Value], kinds: dict[str, tuple[type, ...]], place: str) -> None:
    for field, value in found.items():
        if field == "targets" and kinds is _KINDS:
            continue
        if field not in kinds:
            raise CaseError(f"{place} has the unknown field {field!r}; expected {', '.join(kinds)}")
        if not isinstance(value, kinds[field]) or isinstance(value, bool):
            raise CaseError(f"{place}.{field} must be {_WORDS[kinds[field][0]]}")


def _refuse_unsupported(value: Value, place: str) -> None:
    if isinstance(value, Unsupported):
        raise CaseError(f"{place} is {value.kind}; expected tensors, numbers, text, lists, tuples or dictionaries")
    if isinstance(value, dict):
        for key, item in value.items():
            _refuse_unsupported(item, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _refuse_unsupported(item, f"{place}[{index}]")
