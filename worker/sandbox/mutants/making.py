"""Mutants of a program: the same with one small change, such as people make who write tensor code."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import Any, Final

from worker.sandbox.job import Value
from worker.sandbox.mutants.edits import Edit
from worker.sandbox.mutants.finding import Found, find_edits
from worker.sandbox.mutants.sources import Source, lines_of, one_hunk, replaced

# All mutants are one value, which may take twice as much.
_BYTES: Final = 512 * 1024
# Of lines that are changed, so that a mutant is a small part of that.
_MOST_CHARACTERS: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mutant:
    """What is said of a mutant; `number` is that of its edit."""

    number: int
    said: dict[str, Value]


def make_mutants(source: str, given: str, most: int) -> list[Value]:
    """Mutants as dicts of operator, line, change, needs, diff, and of start, end and text: see `mutated`.

    At most so many, in the order of the source: of each operator one, then of each a second one, and so on. Lines that
    also stand in `given`, what students begin with, are left as they are. `change` is the changed lines before and
    after, on one line: `x / 2 → x`. What spans more than 4096 characters of lines stays as it is, and the last mutants
    are left out where all together would take more than 512 KiB. Raises: SyntaxError.
    """
    chosen, left = [], _BYTES
    for mutant in islice(_in_turns(_Making(source).queues(given)), most):
        left -= len(json.dumps(mutant.said))
        if left < 0:
            break
        chosen.append(mutant)
    return [mutant.said for mutant in sorted(chosen, key=attrgetter("number"))]


def mutated(source: str, mutant: Mapping[str, Any]) -> str:
    """The source of a mutant: `source` with the mutant's text in the place of its bytes from start to end."""
    return replaced(source, mutant["start"], mutant["end"], mutant["text"])


def _in_turns(queues: list[Iterator[_Mutant]]) -> Iterator[_Mutant]:
    """Of each queue the first, then of each the second, and so on: none is made before it is its turn."""
    while queues:
        taken = [(queue, mutant) for queue in queues for mutant in islice(queue, 1)]
        yield from sorted((mutant for _, mutant in taken), key=attrgetter("number"))
        queues = [queue for queue, _ in taken]


class _Making:
    """A program of which mutants are made. Of each only its statement is parsed again, however long the file is."""

    def __init__(self, source: str) -> None:
        self._source = Source(source)
        self._tree = ast.parse(self._source.text)
        self._seen: set[tuple[ast.stmt, str]] = set()

    def queues(self, given: str) -> list[Iterator[_Mutant]]:
        """For each operator its mutants, which are made as they are taken."""
        kept = {line.strip() for line in given.splitlines()}
        by_operator: dict[str, list[Found]] = {}
        for found in find_edits(self._tree):
            lines = self._source.lines_of(found.edit.node)
            if lines[0].strip() not in kept and sum(map(len, lines)) <= _MOST_CHARACTERS:
                by_operator.setdefault(found.edit.operator, []).append(found)
        return [self._made_of(edits) for edits in by_operator.values()]

    def _made_of(self, edits: list[Found]) -> Iterator[_Mutant]:
        for found in edits:
            wanted = found.changed_statement()
            if wanted == ast.dump(found.statement) or (found.statement, wanted) in self._seen:
                continue
            text = self._written(found, wanted)
            if text is not None:
                self._seen.add((found.statement, wanted))
                yield _Mutant(number=found.number, said=self._described(found.edit, text))

    def _written(self, found: Found, wanted: str) -> str | None:
        """What to write for the replacement, so that the statement is the wanted one; None where there is no way."""
        first, last = self._source.span(found.statement)
        start, end = self._source.span(found.edit.node)
        statement = self._source.part(first, last)
        written = ast.unparse(found.edit.replacement)
        # Around some places an operator binds more tightly than within the replacement.
        for attempt in (written, f"({written})"):
            try:
                body = ast.parse(replaced(statement, start - first, end - first, attempt)).body
            except SyntaxError:
                continue
            if [ast.dump(each) for each in body] == [wanted]:
                return attempt
        return None

    def _described(self, edit: Edit, text: str) -> dict[str, Value]:
        start, end = self._source.span(edit.node)
        hunk = one_hunk(self._source.lines, lines_of(replaced(self._source.text, start, end, text)))
        old, new = (" ".join(" ".join(line[1:] for line in hunk if line[0] == sign).split()) for sign in "-+")
        return {
            "operator": edit.operator,
            "line": edit.node.lineno,
            "change": f"{old} → {new}",
            "needs": edit.needs,
            "start": start,
            "end": end,
            "text": text,
            "diff": "\n".join(hunk),
        }
