"""Mutants of a program: the same with one small change, such as people make who write tensor code."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from worker.sandbox.job import Value
from worker.sandbox.mutants import calls, indices, operands, statements
from worker.sandbox.mutants.edits import Edit, Edits, Scope, scope_of

_OPERATORS: dict[type[ast.AST], tuple[Callable[..., Edits], ...]] = {
    ast.BinOp: (operands.binary,),
    ast.UnaryOp: (operands.unary,),
    ast.Constant: (operands.constant,),
    ast.Compare: (operands.comparison,),
    ast.BoolOp: (operands.boolean,),
    ast.IfExp: (operands.choice,),
    ast.Call: (calls.call, indices.ranges),
    ast.Attribute: (calls.attribute,),
    ast.Slice: (indices.part,),
    ast.AugAssign: (statements.augmented,),
    ast.Assign: (statements.assignment,),
    ast.Expr: (statements.expression,),
    ast.If: (statements.branch,),
    ast.Return: (statements.returned,),
}
# What is said to people or to tools, and changes nothing that is computed.
_SKIPPED_NODES = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.JoinedStr, ast.Global, ast.Nonlocal)
_SKIPPED_FIELDS = frozenset({"annotation", "returns", "decorator_list", "bases", "type_comment", "ctx", "op", "ops"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a node hangs in the tree: a field of its parent, or an item of that field."""

    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def make_mutants(source: str, given: str, most: int) -> list[Value]:
    """Mutants as dicts of operator, line, change, needs, source and diff; at most so many, spread over the operators.

    Lines that also stand in `given`, what students begin with, are left as they are. `change` is the changed lines
    before and after, on one line: `x / 2 → x`. Raises: SyntaxError.
    """
    source = source.replace("\r\n", "\n")
    tree = ast.parse(source)
    text = _Text(source)
    kept = {line.strip() for line in given.splitlines()}
    originals, seen, mutants = source.splitlines(), {ast.dump(tree)}, []
    for edit, place in _edits(tree, scope_of(tree)):
        if originals[edit.node.lineno - 1].strip() in kept:  # type: ignore[attr-defined]  # expressions and statements have lines
            continue
        mutant = _mutant(edit, place, tree, text)
        if mutant is not None and mutant[0] not in seen:
            seen.add(mutant[0])
            mutants.append(_described(edit, source, mutant[1]))
    return _spread(mutants, most)


def _edits(tree: ast.Module, scope: Scope) -> Iterator[tuple[Edit, _Place]]:
    places: dict[int, _Place] = {}
    for node in _nodes(tree, places):
        for operator in _OPERATORS.get(type(node), ()):
            for edit in list(operator(node, scope)):
                yield edit, places[id(edit.node)]


def _nodes(node: ast.AST, places: dict[int, _Place]) -> Iterator[ast.AST]:
    """The nodes that may be changed, in the order of the source; a parent before its parts."""
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED_FIELDS:
            continue
        for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(item, ast.AST) or isinstance(item, _SKIPPED_NODES) or _is_aside(item):
                continue
            places[id(item)] = _Place(parent=node, field=field, index=index)
            below = list(_nodes(item, places))
            yield item
            # The number of a negative one is changed as a whole.
            if not (isinstance(item, ast.UnaryOp) and isinstance(item.operand, ast.Constant)):
                yield from below


def _is_aside(node: ast.AST) -> bool:
    """Whether it is a docstring, or a block that is not run."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.If) and any(
        isinstance(inner, ast.Name) and inner.id == "__name__" for inner in ast.walk(node.test)
    )


class _Text:
    """A source whose parts are found by the places of nodes, which count bytes."""

    def __init__(self, source: str) -> None:
        self._data = source.encode()
        self._starts = [0]
        for line in self._data.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def replaced(self, node: ast.AST, text: str) -> str:
        start = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]  # it has a place
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]  # it has a place
        return (self._data[:start] + text.encode() + self._data[end:]).decode()


def _mutant(edit: Edit, place: _Place, tree: ast.Module, text: _Text) -> tuple[str, str] | None:
    """The mutant's tree as text, and its source; None where the change cannot be written down."""
    place.put(edit.replacement)
    wanted = ast.dump(tree)
    place.put(edit.node)
    written = ast.unparse(edit.replacement)
    # Around some places an operator binds more tightly than within the replacement.
    for attempt in (written, f"({written})"):
        source = text.replaced(edit.node, attempt)
        try:
            if ast.dump(ast.parse(source)) == wanted:
                return wanted, source
        except SyntaxError:
            continue
    return None


def _described(edit: Edit, source: str, mutated: str) -> dict[str, Value]:
    before, after = source.splitlines(), mutated.splitlines()
    diff = list(difflib.unified_diff(before, after, "reference.py", "mutant.py", lineterm="", n=1))[2:]
    old, new = (" ".join(" ".join(line[1:] for line in diff if line[0] == sign).split()) for sign in "-+")
    return {
        "operator": edit.operator,
        "line": edit.node.lineno,  # type: ignore[attr-defined]  # expressions and statements have lines
        "change": f"{old} → {new}",
        "needs": edit.needs,
        "source": mutated,
        "diff": "\n".join(diff),
    }


def _spread(mutants: list[dict[str, Value]], most: int) -> list[Value]:
    """At most so many, in the order of the source: of each operator one, then of each a second one, and so on."""
    counts: dict[Value, int] = {}
    ranks = []
    for place, mutant in enumerate(mutants):
        operator = str(mutant["operator"])
        counts[operator] = counts.get(operator, 0) + 1
        ranks.append((counts[operator], place))
    chosen = sorted(place for _, place in sorted(ranks)[:most])
    return [mutants[place] for place in chosen]
