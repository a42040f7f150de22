"""Compares printed text: word for word, numbers within tolerance, spaces as they come."""

from __future__ import annotations

import math
import re
from typing import Final

from graders.mismatches import Mismatch, Pair, describe
from graders.outcomes import Stage

# A printed number has few digits, so the last one may be rounded either way.
PRINTED_RTOL: Final = 1e-3
PRINTED_ATOL: Final = 1e-4
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_PART: Final = re.compile(rf"({_NUMBER.pattern})|\s+")


def compare_printed(
    actual: str, expected: str, *, rtol: float = PRINTED_RTOL, atol: float = PRINTED_ATOL
) -> Mismatch | None:
    """The first line that differs, as a mismatch at path "line n"; None where all agree.

    Whole numbers must be the same, numbers with a point or exponent agree within |a − e| ≤ atol + rtol·|e|. How many
    spaces stand between words, and empty lines at the end, do not matter.
    """
    theirs, ours = actual.rstrip().splitlines(), expected.rstrip().splitlines()
    for place in range(max(len(theirs), len(ours))):
        line, wanted = (lines[place] if place < len(lines) else "" for lines in (theirs, ours))
        if not _same_line(line, wanted, rtol=rtol, atol=atol):
            pair = Pair(index=(), actual=line, expected=wanted)
            return Mismatch(
                stage=Stage.VALUES,
                path=f"line {place + 1}",
                actual=describe(line),
                expected=describe(wanted),
                wrong=1,
                total=len(ours),
                worst=pair,
                pairs=(pair,),
            )
    return None


def _same_line(actual: str, expected: str, *, rtol: float, atol: float) -> bool:
    theirs, ours = _parts(actual), _parts(expected)
    return len(theirs) == len(ours) and all(
        _same_part(left, right, rtol=rtol, atol=atol) for left, right in zip(theirs, ours, strict=True)
    )


def _parts(line: str) -> list[str]:
    return [part for part in _PART.split(line) if part and not part.isspace()]


def _same_part(actual: str, expected: str, *, rtol: float, atol: float) -> bool:
    if actual == expected:
        return True
    if not (_NUMBER.fullmatch(actual) and _NUMBER.fullmatch(expected)):
        return False
    if actual.lstrip("+-").isdigit() and expected.lstrip("+-").isdigit():
        return False
    number, wanted = float(actual), float(expected)
    return math.isfinite(number) and abs(number - wanted) <= atol + rtol * abs(wanted)
