"""Changes of whole statements: a step left out, a condition ignored, a gradient cut, an argument changed in place."""

from __future__ import annotations

import ast

from worker.sandbox.mutants.edits import Edit, Edits, Scope, with_fields


def augmented(node: ast.AugAssign, scope: Scope) -> Edits:
    """`x += y` left out, or with another operator."""
    yield Edit(operator="step left out", node=node, replacement=ast.Pass())
    others: dict[type[ast.operator], type[ast.operator]] = {
        ast.Add: ast.Sub,
        ast.Sub: ast.Add,
        ast.Mult: ast.Div,
        ast.Div: ast.Mult,
    }
    if type(node.op) in others:
        other = with_fields(node, op=others[type(node.op)]())
        yield Edit(operator="operator swapped", node=node, replacement=other)


def assignment(node: ast.Assign, scope: Scope) -> Edits:
    """A step left out that only changes what has a value already; `x = x + y` done in place on an argument."""
    if id(node) in scope.rebound or all(isinstance(target, ast.Subscript) for target in node.targets):
        yield Edit(operator="step left out", node=node, replacement=ast.Pass())
    match node:
        case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.BinOp(left=ast.Name(id=left)) as value):
            if name == left and scope.is_argument(target):
                in_place = ast.AugAssign(target=target, op=value.op, value=value.right)
                yield Edit(operator="in place", node=node, replacement=in_place, needs="inputs_unchanged")


def expression(node: ast.Expr, scope: Scope) -> Edits:
    """A call made for its effect left out; without that of a base class nothing would run."""
    is_base = any(isinstance(inner, ast.Name) and inner.id == "super" for inner in ast.walk(node))
    if isinstance(node.value, ast.Call) and not is_base:
        yield Edit(operator="step left out", node=node, replacement=ast.Pass())


def branch(node: ast.If, scope: Scope) -> Edits:
    """A condition turned over; comparisons have changes of their own."""
    if not isinstance(node.test, ast.Compare):
        turned = ast.UnaryOp(op=ast.Not(), operand=node.test)
        yield Edit(operator="condition turned over", node=node.test, replacement=turned)


def returned(node: ast.Return, scope: Scope) -> Edits:
    """A result without a gradient."""
    if node.value is not None and not isinstance(node.value, ast.Tuple | ast.Constant):
        detach = ast.Attribute(value=node.value, attr="detach", ctx=ast.Load())
        cut = ast.Call(func=detach, args=[], keywords=[])
        yield Edit(operator="gradient cut", node=node.value, replacement=cut, needs="gradients")
