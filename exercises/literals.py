"""A tensor as people type it: `[[1, 0.5], [1/3, 0]]`, what torch prints, or rows on lines of their own."""

from __future__ import annotations

import re
from typing import Any

from exercises.errors import InvalidFieldError

LONGEST = 50_000
DEEPEST = 8
_PRINTED = re.compile(r"(?:torch\.)?tensor\(\s*(\[.*\])[^\]]*\)", re.DOTALL)
_TOKEN = re.compile(r"[\[\],]|[^\[\],]+")
_BETWEEN = re.compile(r"[,;\s]+")


def read_literal(text: str) -> Any:
    """Nested lists of texts, each of which the grader reads as a number.

    Raises:
        InvalidFieldError: brackets do not fit together, or it is too long.
    """
    plain = text.strip()
    if len(plain) > LONGEST:
        raise _problem(f"expected at most {LONGEST} characters, found {len(plain)}")
    if not plain:
        raise _problem("expected numbers, found nothing")
    if printed := _PRINTED.fullmatch(plain):
        plain = printed[1]
    return _nested(plain) if "[" in plain or "]" in plain else _rows(plain)


def literal_of(response: Any, *, indent: int = 0) -> str:
    """The text to be typed for a response: a line for each row."""
    if not isinstance(response, list):
        return str(response)
    is_row = not any(isinstance(item, list) for item in response)
    between = ", " if is_row else ",\n" + " " * (indent + 1)
    return "[" + between.join(literal_of(item, indent=indent + 1) for item in response) + "]"


def _rows(plain: str) -> Any:
    rows = [[entry for entry in _BETWEEN.split(line.strip(" \t,;")) if entry] for line in plain.splitlines()]
    rows = [row for row in rows if row]
    if not rows:
        raise _problem("expected numbers, found none")
    if len(rows) > 1:
        return rows
    return rows[0] if len(rows[0]) > 1 else rows[0][0]


def _nested(plain: str) -> Any:
    """Lists are kept open on a stack, so that depth costs nothing but its cap."""
    whole: list[Any] = []
    still_open = [whole]
    may_follow = True
    for part in (found.strip() for found in _TOKEN.findall(plain)):
        if part == "]" and len(still_open) > 1:
            still_open.pop()
            may_follow = False
        elif part == "," and not may_follow:
            may_follow = True
        elif part and may_follow and part not in "],":
            may_follow = part == "["
            _append(part, still_open)
        elif part:
            missing = "a number" if part == "," else "a comma or a closing bracket"
            raise _problem(f"expected {missing} before “{part[:10]}”")
    if len(still_open) > 1:
        raise _problem("a bracket is not closed")
    if len(whole) > 1 or may_follow:
        raise _problem("expected one pair of brackets around all of it")
    return whole[0]


def _append(part: str, still_open: list[list[Any]]) -> None:
    if part != "[":
        still_open[-1].append(part)
        return
    if len(still_open) > DEEPEST:
        raise _problem(f"expected brackets at most {DEEPEST} deep")
    opened: list[Any] = []
    still_open[-1].append(opened)
    still_open.append(opened)


def _problem(message: str) -> InvalidFieldError:
    return InvalidFieldError("response", message)
