"""Checks of the form of decoded JSON, shared by all readers of the wire."""

from __future__ import annotations

from typing import Any

from worker.sandbox.frames import Frame, WireError


def expect_kind(frame: Frame, kind: str) -> None:
    if frame.kind != kind:
        raise WireError(f"expected a frame of kind {kind}")


def expect_fields(data: Any, types: dict[str, type]) -> None:
    """Nothing, if `data` is an object of exactly these fields and types; an integer passes for a float."""
    if not isinstance(data, dict) or data.keys() != types.keys():
        raise WireError(f"expected the fields {', '.join(types)}")
    for name, kind in types.items():
        found = type(data[name])
        if found is not kind and not (kind is float and found is int):
            raise WireError(f"expected {kind.__name__} as {name}")


def expect_all(items: list[Any], kind: type) -> list[Any]:
    if any(type(item) is not kind for item in items):
        raise WireError(f"expected {kind.__name__} in a list")
    return items
