"""All small changes that a program can have, each with where it hangs in the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from worker.sandbox.mutants import calls, indices, operands, statements
from worker.sandbox.mutants.edits import Edit, Edits, scope_of

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An edit, and where its node hangs. `statement` can be parsed by itself: a line of code, or one of the file's."""

    number: int
    statement: ast.stmt
    place: _Place
    edit: Edit

    def changed_statement(self) -> str:
        """The statement's tree as text, after the edit."""
        if self.edit.node is self.statement:
            return ast.dump(self.edit.replacement)
        self.place.put(self.edit.replacement)
        changed = ast.dump(self.statement)
        self.place.put(self.edit.node)
        return changed


def find_edits(tree: ast.Module) -> Iterator[Found]:
    """All edits, numbered in the order of the source."""
    scope, owners, places, number = scope_of(tree), _owners(tree), dict[int, _Place](), 0
    for node in _nodes(tree, places):
        for operator in _OPERATORS.get(type(node), ()):
            for edit in list(operator(node, scope)):
                key = id(edit.node)
                yield Found(number=number, statement=owners[key], place=places[key], edit=edit)
                number += 1


def _owners(tree: ast.Module) -> dict[int, ast.stmt]:
    """The statement that a node belongs to, by its id: a simple one where there is one, else that of the file."""
    inner = (node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not _is_compound(node))
    return {id(node): statement for statement in (*tree.body, *inner) for node in ast.walk(statement)}


def _is_compound(statement: ast.stmt) -> bool:
    return hasattr(statement, "body") or isinstance(statement, ast.Match)


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
