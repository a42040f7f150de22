"""Changes of numbers, operators and comparisons."""

from __future__ import annotations

import ast
import re

from worker.sandbox.mutants.edits import Edit, Edits, Scope, number, read_number, with_fields

# Below this a float is taken for an epsilon, which guards a division.
_EPSILON = 1e-2
_EPSILON_FACTOR = 1000
_SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_NOT_COMMUTATIVE = (ast.Sub, ast.Div, ast.MatMult, ast.Pow)
_BOTH_KEPT = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr)
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_WORDS = {"mean": "sum", "sum": "mean", "same": "valid", "tanh": "none", "-inf": "inf"}
_LAST_TWO = re.compile(r"(->\s*.*?)(\w)(\s*)(\w)(\s*)$")


def binary(node: ast.BinOp, scope: Scope) -> Edits:
    """An operator swapped, an operand dropped, operands exchanged."""
    kind = type(node.op)
    if kind in _SWAPPED:
        yield Edit(operator="operator swapped", node=node, replacement=with_fields(node, op=_SWAPPED[kind]()))
    yield Edit(operator="operand dropped", node=node, replacement=node.left)
    if isinstance(node.op, _BOTH_KEPT) and read_number(node.right) is None:
        yield Edit(operator="operand dropped", node=node, replacement=node.right)
    if isinstance(node.op, _NOT_COMMUTATIVE):
        exchanged = with_fields(node, left=node.right, right=node.left)
        yield Edit(operator="operands exchanged", node=node, replacement=exchanged)


def unary(node: ast.UnaryOp, scope: Scope) -> Edits:
    """A sign or a negation dropped; a negative number made another one."""
    value = read_number(node)
    if value is not None:
        yield from _numbers(node, value)
    elif not isinstance(node.op, ast.UAdd):
        yield Edit(operator="negation dropped", node=node, replacement=node.operand)


def constant(node: ast.Constant, scope: Scope) -> Edits:
    """A number, a flag or a word made another one."""
    value = node.value
    if isinstance(value, bool):
        yield Edit(operator="flag turned", node=node, replacement=ast.Constant(value=not value))
    elif isinstance(value, int | float):
        yield from _numbers(node, value)
    elif isinstance(value, str) and value in _WORDS:
        yield Edit(operator="constant changed", node=node, replacement=ast.Constant(value=_WORDS[value]))
    elif isinstance(value, str) and _LAST_TWO.search(value):
        turned = _LAST_TWO.sub(r"\1\4\3\2\5", value)
        yield Edit(operator="axes exchanged", node=node, replacement=ast.Constant(value=turned))


def _numbers(node: ast.expr, value: float) -> Edits:
    if isinstance(value, int):
        others: tuple[float, ...] = (value + 1, value - 1)
    elif value == 0:
        others = (1.0,)
    elif abs(value) <= _EPSILON:
        others = (0.0, value * _EPSILON_FACTOR)
    else:
        others = (value * 2, value / 2)
    word = "epsilon changed" if isinstance(value, float) and 0 < abs(value) <= _EPSILON else "constant changed"
    for other in others:
        yield Edit(operator=word, node=node, replacement=number(other))


def comparison(node: ast.Compare, scope: Scope) -> Edits:
    """A comparison that takes the border in or leaves it out, or looks the other way."""
    for place, kind in enumerate(node.ops):
        for other in _COMPARED[type(kind)]:
            ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
            yield Edit(operator="comparison changed", node=node, replacement=with_fields(node, ops=ops))


def boolean(node: ast.BoolOp, scope: Scope) -> Edits:
    """`and` made `or`, and the reverse."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield Edit(operator="operator swapped", node=node, replacement=with_fields(node, op=other))


def choice(node: ast.IfExp, scope: Scope) -> Edits:
    """One of two values whatever the condition says."""
    yield Edit(operator="condition ignored", node=node, replacement=node.body)
    yield Edit(operator="condition ignored", node=node, replacement=node.orelse)
