"""Forbidden names, loops and operators: what a submission uses of them. A teaching aid: a name can be hidden."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graders.arrays import Value

_LOOPS: Final = frozenset({"for", "while", "comprehension"})
# `aten::mm`, `aten.mm` or `mm`.
_OPERATOR: Final = re.compile(r"(?:(\w+)(?:::|\.))?(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One use of what is forbidden: a name, a kind of loop, or an operator, and the line where it is known."""

    rule: str
    name: str
    line: int = 0


def breaches(forbid: Mapping[str, Any], findings: Value, operators: Iterable[str]) -> tuple[Breach, ...]:
    """What is broken of the rules in `forbid`: by what a survey of the text found, then by dispatched operators.

    `findings` come from the run, and whatever is not of their form is passed over.
    """
    found = [breach for item in findings if (breach := _breach(item, forbid))] if isinstance(findings, list) else []
    rules = forbid.get("operators") or ()
    used = dict.fromkeys(rule for operator in operators for rule in rules if _is_operator(operator, rule))
    return (*found, *(Breach(rule="operators", name=name) for name in used))


def _breach(item: Value, forbid: Mapping[str, Any]) -> Breach | None:
    match item:
        case {"rule": "names", "name": str() as name, "line": int() as line} if name in (forbid.get("names") or ()):
            return Breach(rule="names", name=name, line=line)
        case {"rule": "loops", "name": str() as name, "line": int() as line} if name in _LOOPS:
            return Breach(rule="loops", name=name, line=line)
    return None


def _is_operator(dispatched: str, rule: str) -> bool:
    """Whether the rule names it: in full, or by its bare name, around which underscores may stand."""
    ours, theirs = _OPERATOR.fullmatch(rule), _OPERATOR.fullmatch(dispatched)
    if ours is None or theirs is None:
        return False
    if ours[1]:
        return ours.groups() == theirs.groups()
    return ours[2] in (theirs[2], theirs[2].strip("_"))
