"""A visible case as a program that reproduces it outside of the site: code, inputs as literals, call, comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exercises.learn.values import is_tensor

LONGEST_SOURCE = 20_000
_OWN_NAMES = {"torch", "expected", "actual", "built", "state"}
_EXACT_FLOATS = {"float64", "complex128"}
_DIGITS = 9
"""So many digits tell any two numbers of single precision apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What is called, with the student's code, and how outputs are compared."""

    entry: str
    source: str
    compare: Mapping[str, Any]


def call_of(definition: Mapping[str, Any], source: str) -> Call | None:
    """The call of a version's cases; None where a case is more than a call of the entry."""
    exercise = definition["exercise"]
    if not exercise.get("entry") or "driver.py" in definition["files"]:
        return None
    return Call(entry=exercise["entry"], source=source, compare=exercise.get("compare") or {})


def snippet_of(call: Call, shown: Mapping[str, Any], names: Sequence[str]) -> str:
    """The program; `names` are those of the positional arguments. Empty where a value is too large to be written."""
    values = [*shown["args"], *shown["kwargs"].values(), shown["expected"], shown.get("init"), shown.get("state")]
    if not all(map(_is_writable, values)):
        return ""
    taken = _OWN_NAMES | {call.entry}
    given = {_name(name, taken): value for name, value in zip(names, shown["args"], strict=True)}
    options = {name: (_name(name, taken | given.keys()), value) for name, value in shown["kwargs"].items()}
    lines = [_assigned(name, value) for name, value in [*given.items(), *options.values()]]
    arguments = [*given, *(f"{option}={name}" for option, (name, _value) in options.items())]
    source = call.source if len(call.source) <= LONGEST_SOURCE else "# Here goes your code.\n"
    return "\n".join(
        [
            source.rstrip("\n"),
            "",
            "",
            "import torch",
            "",
            *lines,
            _assigned("expected", shown["expected"]),
            "",
            *_built(call, shown),
            f"actual = {'built' if _is_built(call, shown) else call.entry}({', '.join(arguments)})",
            "print(actual)",
            _comparison(call.compare, shown["expected"]),
            "",
        ]
    )


def _is_built(call: Call, shown: Mapping[str, Any]) -> bool:
    """Whether the entry is a class, of which an object is called."""
    is_class = re.search(rf"^class {re.escape(call.entry)}\b", call.source, re.MULTILINE) is not None
    return is_class or "init" in shown or "state" in shown


def _built(call: Call, shown: Mapping[str, Any]) -> list[str]:
    """The lines that build the object that is called."""
    if not _is_built(call, shown):
        return []
    init = shown.get("init") or {}
    options = [f"{name}={_literal(value, 0)}" for name, value in (init.get("kwargs") or {}).items()]
    arguments = [*(_literal(value, 0) for value in init.get("args") or []), *options]
    lines = [f"built = {call.entry}({', '.join(arguments)})"]
    if shown.get("state") is not None:
        lines += [_assigned("state", shown["state"]), "built.load_state_dict(state)"]
    return lines


def _name(name: str, taken: set[str]) -> str:
    plain = name if name.isidentifier() else f"argument_{name.strip('#')}"
    return f"{plain}_" if plain in taken else plain


def _is_writable(value: Any) -> bool:
    if is_tensor(value):
        return value["values"] is not None
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_writable, inside))


def _comparison(compare: Mapping[str, Any], expected: Any) -> str:
    if not _is_of_numbers(expected):
        return "assert actual == expected"
    options = []
    if compare.get("rtol") is not None and compare.get("atol") is not None:
        options += [f"rtol={compare['rtol']!r}", f"atol={compare['atol']!r}"]
    if compare.get("equal_nan"):
        options.append("equal_nan=True")
    if compare.get("dtypes", "exact") != "exact":
        options.append("check_dtype=False")
    return f"torch.testing.assert_close({', '.join(['actual', 'expected', *options])})"


def _is_of_numbers(value: Any) -> bool:
    if is_tensor(value) or isinstance(value, bool | int | float):
        return True
    if not isinstance(value, dict | list):
        return False
    return all(map(_is_of_numbers, value.values() if isinstance(value, dict) else value))


def _assigned(name: str, value: Any) -> str:
    return f"{name} = {_literal(value, len(name) + 3)}"


def _literal(value: Any, column: int) -> str:
    """The value as code that begins in this column: rows of a tensor stand below each other."""
    if is_tensor(value):
        digits = None if value["dtype"] in _EXACT_FLOATS else _DIGITS
        begin = "torch.tensor("
        nested = _nested(value["values"], digits, indent=column + len(begin))
        return f"{begin}{nested}, dtype=torch.{value['dtype']})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {_literal(item, column)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_literal(item, column) for item in value) + "]"
    return _number(value, None) if isinstance(value, float) else repr(value)


def _nested(values: Any, digits: int | None, *, indent: int) -> str:
    if not isinstance(values, list):
        return _number(values, digits)
    inner = [_nested(item, digits, indent=indent + 1) for item in values]
    between = ",\n" + " " * (indent + 1) if values and isinstance(values[0], list) else ", "
    return f"[{between.join(inner)}]"


def _number(value: Any, digits: int | None) -> str:
    """A number as Python reads it; NaN, infinities and complex numbers come as text."""
    if isinstance(value, str):
        return f'float("{value}")' if value in {"nan", "inf", "-inf"} else f'complex("{value}")'
    if isinstance(value, float) and digits is not None:
        return repr(float(f"{value:.{digits}g}"))
    return repr(value)
