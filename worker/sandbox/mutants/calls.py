"""Changes of calls: another function, one left out, arguments dropped or exchanged."""

from __future__ import annotations

import ast

from worker.sandbox.mutants.edits import Edit, Edits, Scope, read_number, with_fields

_PAIRS = (
    ("softmax", "log_softmax"), ("sum", "mean"), ("max", "min"), ("amax", "amin"), ("argmax", "argmin"),
    ("maximum", "minimum"), ("tril", "triu"), ("relu", "gelu"), ("sigmoid", "tanh"), ("zeros", "ones"),
    ("zeros_like", "ones_like"), ("cumsum", "cumprod"), ("all", "any"), ("var", "std"), ("sqrt", "rsqrt"),
    ("sin", "cos"), ("exp", "expm1"), ("log", "log1p"), ("floor", "ceil"), ("cat", "stack"),
    ("repeat", "repeat_interleave"), ("median", "mean"), ("silu", "relu"), ("leaky_relu", "relu"),
    ("logsumexp", "sum"), ("prod", "sum"), ("norm", "sum"), ("square", "abs"), ("round", "floor"),
    ("logical_and", "logical_or"), ("layer_norm", "rms_norm"),
)  # fmt: skip
_OTHERS = dict(_PAIRS) | {
    right: left for left, right in reversed(_PAIRS) if right not in {first for first, _ in _PAIRS}
}
# What may be left out, so that its (first) operand stands in its place.
_DROPPED_NAMES = """
    transpose permute swapaxes swapdims movedim adjoint t softmax log_softmax softmin sigmoid tanh relu gelu silu exp
    log log1p log2 expm1 sqrt rsqrt square abs neg reciprocal pow float double half bfloat16 long int bool to type
    type_as clamp clamp_min clamp_max clip nan_to_num masked_fill tril triu flip roll sum mean amax amin norm std var
    unsqueeze squeeze expand expand_as broadcast_to repeat repeat_interleave reshape view flatten unflatten cumsum
    cumprod sort dropout normalize layer_norm rms_norm batch_norm logsumexp max min floor round ceil sign
    masked_select pad one_hot diff outer
"""
# Where the last argument may be left to its default.
_OPTIONAL_NAMES = "sum mean amax amin max min std var tril triu argmax argmin flatten norm cumsum round"
_IN_PLACE_NAMES = "masked_fill relu sigmoid tanh exp log sqrt add sub mul div clamp tril triu neg abs"
_DROPPED = frozenset(_DROPPED_NAMES.split())
_OPTIONAL = frozenset(_OPTIONAL_NAMES.split())
_IN_PLACE = frozenset(_IN_PLACE_NAMES.split())
_DROPPED_ATTRIBUTES = frozenset({"mT", "T", "mH", "H"})
_NEEDING = {"detach": "gradients", "clone": "inputs_unchanged"}
_DTYPES = {"float32": "float64", "float64": "float32", "int64": "int32", "long": "int32", "float": "float64"}


def call(node: ast.Call, scope: Scope) -> Edits:
    """A function swapped or left out, and changes of its arguments."""
    name = _name(node)
    if name in _OTHERS:
        other = _renamed(node.func, _OTHERS[name])
        yield Edit(operator="function swapped", node=node.func, replacement=other)
    if operand := _operand(node, scope):
        if name in _DROPPED:
            yield Edit(operator=f"{name} dropped", node=node, replacement=operand)
        if name in _NEEDING:
            yield Edit(operator=f"{name} dropped", node=node, replacement=operand, needs=_NEEDING[name])
    yield from _keywords(node)
    yield from _positional(node, name)
    yield from _special(node, name, scope)


def attribute(node: ast.Attribute, scope: Scope) -> Edits:
    """A transpose left out, another dtype."""
    if node.attr in _DROPPED_ATTRIBUTES and not scope.is_module(node):
        yield Edit(operator="transpose dropped", node=node, replacement=node.value)
    if node.attr in _DTYPES and scope.is_module(node):
        yield Edit(operator="dtype changed", node=node, replacement=_renamed(node, _DTYPES[node.attr]))


def _name(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _renamed(node: ast.expr, name: str) -> ast.expr:
    """A name, or an attribute, called otherwise."""
    return with_fields(node, **{"attr" if isinstance(node, ast.Attribute) else "id": name})


def _operand(node: ast.Call, scope: Scope) -> ast.expr | None:
    """What a call is applied to: the object of a method, or the first argument of a function."""
    if isinstance(node.func, ast.Attribute) and not scope.is_module(node.func):
        return node.func.value
    first = node.args[0] if node.args else None
    return None if first is None or isinstance(first, ast.Starred | ast.Constant) else first


def _keywords(node: ast.Call) -> Edits:
    for place, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            rest = node.keywords[:place] + node.keywords[place + 1 :]
            yield Edit(operator=f"{keyword.arg} dropped", node=node, replacement=with_fields(node, keywords=rest))


def _positional(node: ast.Call, name: str) -> Edits:
    args = node.args
    if any(isinstance(argument, ast.Starred) for argument in args):
        return
    if args and name in _OPTIONAL and read_number(args[-1]) is not None:
        yield Edit(operator="argument dropped", node=node, replacement=with_fields(node, args=args[:-1]))
    for place in range(len(args) - 1):
        pair = args[place : place + 2]
        if all(read_number(argument) is None and not isinstance(argument, ast.Constant) for argument in pair):
            exchanged = [*args[:place], *reversed(pair), *args[place + 2 :]]
            yield Edit(operator="arguments exchanged", node=node, replacement=with_fields(node, args=exchanged))


def _special(node: ast.Call, name: str, scope: Scope) -> Edits:
    """A mask turned over, positions that begin with 1, an argument changed in place."""
    if name == "masked_fill" and node.args:
        first = node.args[0]
        is_turned = isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Invert)
        if not is_turned:
            turned = ast.UnaryOp(op=ast.Invert(), operand=first)
            yield Edit(operator="mask turned over", node=first, replacement=turned)
    if name == "arange" and len(node.args) == 1:
        one = ast.Constant(value=1)
        later = [one, ast.BinOp(left=node.args[0], op=ast.Add(), right=one)]
        yield Edit(operator="off by one", node=node, replacement=with_fields(node, args=later))
    if name in _IN_PLACE and isinstance(node.func, ast.Attribute) and scope.is_argument(node.func.value):
        in_place = _renamed(node.func, f"{name}_")
        yield Edit(operator="in place", node=node.func, replacement=in_place, needs="inputs_unchanged")
