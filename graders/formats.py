"""Numbers, places and foreign text in the form in which they are shown."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from graders.mismatches import Index, Number

SHOWN_TEXT: Final = 80
# Control characters, and those that turn the direction of writing.
_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def cleaned(text: str, limit: int) -> str:
    """`text` without control characters and lone surrogates, at most `limit` characters."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return _CONTROLS.sub("", short).encode("utf-8", "replace").decode()


def number(value: Number | str) -> str:
    """A number in at most four digits; an integer in all of its digits, since it is compared exactly."""
    match value:
        case str():
            return f"“{cleaned(value, SHOWN_TEXT)}”"
        case bool():
            return str(value)
        case int():
            return str(value) if abs(value) < 10**20 else f"about {'-' if value < 0 else ''}10^{_magnitude(value)}"
        case complex():
            return f"{value.real:.4g}{value.imag:+.4g}j".replace("nan", "NaN")
    return f"{value:.4g}".replace("nan", "NaN")


def float_text(value: Fraction) -> str:
    """A fraction as a decimal in at most six digits."""
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return f"about 10^{_magnitude(int(value))}"


def index(place: Index) -> str:
    """A place in a tensor, as in code."""
    return f"[{', '.join(str(part) for part in place)}]"


def count(amount: int, noun: str) -> str:
    """An amount with its noun, which takes an s unless it is one."""
    return f"{amount} {noun}{'' if amount == 1 else 's'}"


def _magnitude(value: int) -> int:
    return round(abs(value).bit_length() * 0.30103)
