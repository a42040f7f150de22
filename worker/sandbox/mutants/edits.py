"""One small change of a program: which node of its syntax tree becomes what."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

_N = TypeVar("_N", bound=ast.AST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """`node` becomes `replacement`. `operator` says in words what kind of change it is.

    `needs` names what an exercise must ask for beside values before anyone can see the change: `inputs_unchanged` or
    `gradients`; nothing for most.
    """

    operator: str
    node: ast.expr | ast.stmt
    replacement: ast.expr | ast.stmt
    needs: str = ""


Edits = Iterator[Edit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What names mean in a program: those that imports bind, arguments of functions, names that are bound twice."""

    imported: frozenset[str] = frozenset()
    arguments: frozenset[str] = frozenset()
    rebound: frozenset[int] = field(default_factory=frozenset)

    def is_module(self, node: ast.AST) -> bool:
        """Whether an expression is an imported name, or an attribute of one, and no call: `torch.nn.functional`."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self.imported

    def is_argument(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in self.arguments


def scope_of(tree: ast.Module) -> Scope:
    """The names of a whole file, whatever function they stand in."""
    nodes = list(ast.walk(tree))
    imported = {
        (alias.asname or alias.name).partition(".")[0]
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    arguments = {arg.arg for function in functions for arg in _arguments(function)}
    rebound = {id(node) for function in functions for node in _rebound(function)}
    return Scope(imported=frozenset(imported), arguments=frozenset(arguments), rebound=frozenset(rebound))


def _arguments(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _rebound(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Assignments to a name that has a value already, so that they can be left out and something still runs."""
    bound = {arg.arg for arg in _arguments(function)}
    assigned = sorted(
        (node for node in ast.walk(function) if isinstance(node, ast.Assign)), key=lambda node: node.lineno
    )
    for node in assigned:
        names = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if names and names <= bound:
            yield node
        bound |= names


def with_fields(node: _N, **fields: object) -> _N:
    """A copy of the node with these fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def number(value: float) -> ast.expr:
    """The expression of a number, negative ones as they are parsed."""
    constant = ast.Constant(value=abs(value))
    return ast.UnaryOp(op=ast.USub(), operand=constant) if value < 0 else constant


def read_number(node: ast.AST | None) -> int | float | None:
    """The number that an expression writes out, with its sign; None for anything else, also for true and false."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = read_number(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        value = node.value
        assert isinstance(value, int | float)
        return value
    return None


def plus(node: ast.expr, step: int) -> ast.expr:
    """The expression one more, or one less."""
    op: ast.operator = ast.Add() if step > 0 else ast.Sub()
    return ast.BinOp(left=node, op=op, right=ast.Constant(value=abs(step)))
