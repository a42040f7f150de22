"""The text of a program whose parts are found by the places of nodes, and where a change stands in it."""

from __future__ import annotations

import ast
from typing import Final

_CONTEXT_CHARACTERS: Final = 200


def with_plain_line_ends(text: str) -> str:
    """The text with the ends of lines that Python's parser sees, whatever system it was written on."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def replaced(source: str, start: int, end: int, text: str) -> str:
    """The source with `text` in the place of its bytes from `start` to `end`; its line ends are plain."""
    data = with_plain_line_ends(source).encode()
    return (data[:start] + text.encode() + data[end:]).decode()


def lines_of(text: str) -> list[str]:
    """The lines of a text with plain line ends, as the parser counts them."""
    return text.removesuffix("\n").split("\n")


def one_hunk(before: list[str], after: list[str]) -> list[str]:
    """A unified diff of lines that differ in one place, without names of files, with a line around it, cut short."""
    most = min(len(before), len(after))
    start = next((place for place in range(most) if before[place] != after[place]), most)
    same = next((place for place in range(most - start) if before[-1 - place] != after[-1 - place]), most - start)
    first, old_end, new_end = max(start - 1, 0), len(before) - same, len(after) - same
    above, below = before[first:start], before[old_end : old_end + 1]
    whole = len(above) + len(below) - start
    return [
        f"@@ -{_lines(first, old_end + whole)} +{_lines(first, new_end + whole)} @@",
        *(f" {line[:_CONTEXT_CHARACTERS]}" for line in above),
        *(f"-{line}" for line in before[start:old_end]),
        *(f"+{line}" for line in after[start:new_end]),
        *(f" {line[:_CONTEXT_CHARACTERS]}" for line in below),
    ]


def _lines(first: int, count: int) -> str:
    return f"{first + 1}" if count == 1 else f"{first + 1},{count}"


class Source:
    """A source with plain line ends. Nodes count lines, and bytes within a line; here bytes are counted from 0."""

    def __init__(self, text: str) -> None:
        self.text = with_plain_line_ends(text)
        self.lines = lines_of(self.text)
        self._data = self.text.encode()
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line.encode()) + 1)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """The first byte of a node, and the one after its last; decorators belong to what they decorate."""
        start = self._starts[node.lineno - 1] + node.col_offset
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list:
            # The sign before the expression is not in the tree; it stands where the statement would begin.
            start = self._starts[node.decorator_list[0].lineno - 1] + node.col_offset
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def lines_of(self, node: ast.expr | ast.stmt) -> list[str]:
        """The lines in which a node stands."""
        return self.lines[node.lineno - 1 : node.end_lineno]

    def part(self, start: int, end: int) -> str:
        """The text of these bytes."""
        return self._data[start:end].decode()
