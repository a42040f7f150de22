"""A mismatch as JSON, from which pages draw: shapes, places, pairs, the map of differences."""

from __future__ import annotations

import math
from typing import Any, Final

from graders.formats import number
from graders.mismatches import Index, Map, Mismatch, Pair

MOST_OTHERS: Final = 100


def details_of(mismatch: Mismatch) -> dict[str, Any]:
    """What can be drawn of a mismatch. Elements are texts, since JSON knows no NaN and no complex numbers."""
    worst = mismatch.worst
    return {
        "path": mismatch.path,
        "expected_shape": _listed(mismatch.expected.shape),
        "actual_shape": _listed(mismatch.actual.shape),
        "expected_dtype": mismatch.expected.dtype,
        "actual_dtype": mismatch.actual.dtype,
        "wrong": mismatch.wrong,
        "total": mismatch.total,
        "share_wrong": mismatch.share_wrong,
        "max_absolute_error": mismatch.max_absolute_error,
        "max_relative_error": mismatch.max_relative_error,
        "worst": _pair(worst) if worst else None,
        "pairs": [_pair(pair) for pair in mismatch.pairs],
        "map": _map(mismatch.difference_map) if mismatch.difference_map else None,
        "others": list(mismatch.others[:MOST_OTHERS]),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {"index": list(pair.index), "actual": number(pair.actual), "expected": number(pair.expected)}


def _map(drawn: Map) -> dict[str, Any]:
    return {
        "leading": list(drawn.leading),
        "shape": list(drawn.shape),
        "cells": [[None if cell is None else _short(cell) for cell in row] for row in drawn.cells],
        "limit": _short(drawn.limit),
    }


def _listed(shape: Index | None) -> list[int] | None:
    return None if shape is None else list(shape)


def _short(value: float) -> float:
    """A finite number in four digits; in all of them where those would be beyond the largest float."""
    short = float(f"{value:.4g}")
    return short if math.isfinite(short) else value
