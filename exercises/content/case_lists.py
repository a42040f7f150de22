"""A case put into the text of `cases.py`. The text is not parsed as Python: that is done in the sandbox alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

List = Literal["visible", "hidden"]

_INDENT = " " * 8
_NAME = re.compile(r'"name": "(?P<name>[^"\\]*)"')
_WORD_FOR = re.compile(r"\bfor\b")
_OPENING = {")": "(", "]": "[", "}": "{"}


def with_case(text: str, code: str, *, into: List) -> str:
    """The text of `cases.py` with a case more, as `code` for a list, at the end of what `visible` or `hidden` returns.

    Where that is no plain list of cases, the function is wrapped in one of its name, which adds the case. A name that
    another case has gets a number.
    """
    case = _named_apart(code.strip().removesuffix(","), text)
    lines = [f"{_INDENT}{line}" if line else "" for line in case.splitlines()]
    placed = "\n".join(lines) + ",\n"
    text = _with_import(text if text.endswith("\n") or not text else f"{text}\n")
    found = _returned_list(text, into)
    if found is None:
        return text + _wrapped(placed, into)
    opening, closing = found
    last = max(place for place in _code(text, opening, closing) if text[place].strip())
    before, beside = text[opening + 1 : last + 1], text[last + 1 : closing].rstrip()
    if before and "\n" not in text[opening:closing]:
        before = f"\n{_INDENT}{before}"
    comma = "," if before and not before.endswith(",") else ""
    return f"{text[: opening + 1]}{before}{comma}{beside}\n{placed}    {text[closing:]}"


def _named_apart(code: str, text: str) -> str:
    found = _NAME.search(code)
    if found is None:
        return code
    taken = {item["name"] for item in _NAME.finditer(text)}
    name, number = found["name"], 2
    while name in taken:
        name, number = f"{found['name']} {number}", number + 1
    return code[: found.start("name")] + name + code[found.end("name") :]


def _with_import(text: str) -> str:
    return text if re.search(r"^import torch\b", text, re.MULTILINE) else f"import torch\n\n{text}"


def _wrapped(placed: str, into: List) -> str:
    parameter = "" if into == "visible" else "generator"
    return (
        f"\n\n_{into}_before = {into}\n\n\n"
        f"def {into}({parameter}):\n    return [\n        *_{into}_before({parameter}),\n{placed}    ]\n"
    )


def _returned_list(text: str, into: List) -> tuple[int, int] | None:
    """Where the brackets of the list stand which the function returns; None where it returns something else."""
    starts = list(re.finditer(rf"^def {into}\b", text, re.MULTILINE))
    if not starts:
        return None
    start = starts[-1].end()
    following = re.compile(r"\n(?=\S)").search(text, start)
    end = following.start() if following else len(text)
    stack: list[int] = []
    last: tuple[int, int] | None = None
    for place in _brackets(text, start, end):
        if text[place] in "([{":
            stack.append(place)
        elif not stack or text[stack[-1]] != _OPENING[text[place]]:
            return None
        else:
            last = (stack.pop(), place)
    if last is None or stack or not _is_returned_list(text, *last, end=end):
        return None
    return last


def _is_returned_list(text: str, opening: int, closing: int, *, end: int) -> bool:
    line = text[text.rfind("\n", 0, opening) + 1 : opening].strip()
    rest = text[closing + 1 : end]
    is_last = all(not part.strip() or part.strip().startswith("#") for part in rest.splitlines())
    return text[opening] == "[" and line == "return" and is_last and not _loops(text, opening, closing)


def _loops(text: str, opening: int, closing: int) -> bool:
    """Whether the list is made by a loop: `for` stands in it outside of further brackets."""
    depth, kept, behind = 0, [], opening + 1
    for place in _brackets(text, opening + 1, closing):
        if text[place] in "([{":
            kept += [text[behind:place]] if depth == 0 else []
            depth += 1
        else:
            depth -= 1
            behind = place + 1 if depth == 0 else behind
    return any(_WORD_FOR.search(part) for part in [*kept, text[behind:closing]])


def _brackets(text: str, start: int, end: int) -> list[int]:
    """The places of brackets in code."""
    return [place for place in _code(text, start, end) if text[place] in "()[]{}"]


def _code(text: str, start: int, end: int) -> Iterator[int]:
    """The places of what stands neither in remarks nor in strings, of which only the last mark counts."""
    place = start
    while place < end:
        character = text[place]
        if character == "#":
            place = _behind(text, "\n", place, end)
            continue
        if character in "\"'":
            mark = character * 3 if text.startswith(character * 3, place) else character
            place = _behind_string(text, mark, place + len(mark), end) - 1
        yield place
        place += 1


def _behind(text: str, mark: str, place: int, end: int) -> int:
    found = text.find(mark, place, end)
    return end if found < 0 else found + len(mark)


def _behind_string(text: str, mark: str, place: int, end: int) -> int:
    while place < end:
        if text[place] == "\\":
            place += 2
        elif text.startswith(mark, place):
            return place + len(mark)
        else:
            place += 1
    return end
