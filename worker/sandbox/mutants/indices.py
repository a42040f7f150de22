"""Changes of slices and ranges."""

from __future__ import annotations

import ast
import math

from worker.sandbox.mutants.edits import Edit, Edits, Scope, plus, read_number, with_fields


def part(node: ast.Slice, scope: Scope) -> Edits:
    """A bound of a slice dropped or off by one, its step dropped."""
    for field in ("lower", "upper", "step"):
        bound = getattr(node, field)
        if bound is None:
            continue
        # A start of 0 and a step of 1 are what stands there anyway.
        if read_number(bound) != _USUAL.get(field):
            yield Edit(operator=f"{_WORDS[field]} dropped", node=node, replacement=with_fields(node, **{field: None}))
        # Numbers are changed as constants already.
        if field != "step" and read_number(bound) is None:
            for step in (-1, 1):
                yield Edit(operator="off by one", node=bound, replacement=plus(bound, step))


_USUAL = {"lower": 0, "step": 1, "upper": math.inf}
_WORDS = {"lower": "start of a slice", "upper": "end of a slice", "step": "step of a slice"}


def ranges(node: ast.Call, scope: Scope) -> Edits:
    """The bounds of a `range` off by one."""
    if not isinstance(node.func, ast.Name) or node.func.id != "range":
        return
    for bound in node.args[:2]:
        if read_number(bound) is None and not isinstance(bound, ast.Starred):
            for step in (-1, 1):
                yield Edit(operator="off by one", node=bound, replacement=plus(bound, step))
