"""Variants of an exercise: numbers drawn for each student, put into the prompt and the answer.

`parameters` of exercise.yaml maps a name to `{choices: [16, 64]}`, `{integer: [1, 9]}` or
`{uniform: [0, 1], decimals: 2}`. `{{ d }}` and `{{ 1 / sqrt(d) }}` in `prompt`, and in every field called `answer`, are
replaced by numbers. In the prompt, fences of code and maths keep their braces; a fence of code whose first line ends in
`{parameters}` is filled like prose.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from graders.errors import DefinitionError, ResponseError
from graders.questions.numbers import RESERVED, evaluate, read_number

MAX_DECIMALS: Final = 6
DEFAULT_DECIMALS: Final = 2
DECLARED: Final = "{parameters}"
# So many variants are looked at beside those of made-up students: all, where there are no more.
EDGES: Final = 500
# Where expressions break: a division by zero, a logarithm of one below a fraction line, a root of what is negative.
_SINGULAR: Final = (Fraction(-1), Fraction(0), Fraction(1))
_NAME: Final = re.compile(r"[a-zA-Z_]\w*", re.ASCII)
PLACE: Final = re.compile(r"\{\{(.*?)\}\}")
# A fence up to its end, displayed maths, maths within a line.
_FENCED: Final = re.compile(
    r"(?P<code>^ {0,3}(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)\n.*?(?:^ {0,3}(?P=fence)[`~]*[ \t]*$|\Z))"
    r"|(?P<maths>\$\$.*?\$\$|\$[^$\n]+\$)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Range:
    """So many numbers, a step apart."""

    first: Fraction
    step: Fraction
    count: int

    def at(self, place: int) -> Fraction:
        return self.first + self.step * place

    def edges(self) -> list[Fraction]:
        """All, or the ends and those at which expressions break."""
        if self.count <= EDGES:
            return [self.at(place) for place in range(self.count)]
        last = self.at(self.count - 1)
        # Both ends are multiples of the step, as whole numbers are.
        return [self.first, last, *(number for number in _SINGULAR if self.first < number < last)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    numbers: list[Fraction]

    @property
    def count(self) -> int:
        return len(self.numbers)

    def at(self, place: int) -> Fraction:
        return self.numbers[place]

    def edges(self) -> list[Fraction]:
        return list(dict.fromkeys(self.numbers))


def drawn(exercise: Mapping[str, Any], seed: str) -> dict[str, Fraction]:
    """The numbers of the student with this seed, by name; empty where the exercise declares no parameters.

    Raises:
        DefinitionError: a declaration cannot be used.
    """
    return {name: values.at(_random(seed, name, values.count)) for name, values in _declared(exercise).items()}


def edge_variants(exercise: Mapping[str, Any]) -> Iterator[dict[str, Fraction]]:
    """Numbers that a student could draw, by name: all ways to draw them or, of very many, some at the ends of ranges.

    Zero, one and minus one are among them, where they can be drawn.

    Raises:
        DefinitionError: a declaration cannot be used.
    """
    edges = {name: values.edges() for name, values in _declared(exercise).items()}
    if not edges:
        return
    if math.prod(len(numbers) for numbers in edges.values()) <= EDGES:
        for numbers in itertools.product(*edges.values()):
            yield dict(zip(edges, numbers, strict=True))
        return
    for seed in range(EDGES):
        yield {name: numbers[_random(f"edge {seed}", name, len(numbers))] for name, numbers in edges.items()}


def with_numbers(exercise: Mapping[str, Any], numbers: Mapping[str, Fraction]) -> Mapping[str, Any]:
    """The exercise in which every student draws these numbers."""
    given = {name: {"choices": [str(number)]} for name, number in numbers.items()}
    return {**exercise, "parameters": {**(exercise.get("parameters") or {}), **given}}


def filled(exercise: Mapping[str, Any], seed: str) -> Mapping[str, Any]:
    """The exercise as the student with this seed gets it; the same object where it declares no parameters.

    Raises:
        DefinitionError: a declaration or an expression cannot be used, or a name is both a parameter and a gap.
    """
    numbers = drawn(exercise, seed)
    if not numbers:
        return exercise
    gaps = set(exercise.get("blanks") or {}) & set(numbers)
    if gaps:
        raise DefinitionError(f"parameters.{min(gaps)}", "is also the name of a gap")
    variant = {name: _with_answers(value, numbers, name) for name, value in exercise.items() if name != "parameters"}
    if isinstance(variant.get("prompt"), str):
        variant["prompt"] = _prose(variant["prompt"], numbers)
    return variant


def pinned(exercise: Mapping[str, Any], asked: Mapping[str, Any], seed: str) -> Mapping[str, Any]:
    """The exercise with the numbers that `asked`, another version of it, gave to the student with this seed.

    Raises:
        DefinitionError: a declaration cannot be used.
    """
    declared = exercise.get("parameters") or {}
    given = {name: number for name, number in drawn(asked, seed).items() if name in declared}
    return with_numbers(exercise, given) if given else exercise


def _declared(exercise: Mapping[str, Any]) -> dict[str, _Range | _Choices]:
    declared = exercise.get("parameters") or {}
    if not isinstance(declared, Mapping):
        raise DefinitionError("parameters", "expected names with what they are drawn from")
    return {_checked_name(name): _values_of(name, declared[name]) for name in declared}


def _checked_name(name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise DefinitionError("parameters", f"expected a name such as d or d_k, found {name!r}")
    if name in RESERVED:
        raise DefinitionError(f"parameters.{name}", "is the name of a constant or a function")
    return name


def _values_of(name: str, declaration: object) -> _Range | _Choices:
    field = f"parameters.{name}"
    match declaration:
        case {"choices": values, **others} if not others:
            return _Choices(numbers=_numbers(values, f"{field}.choices"))
        case {"integer": values, **others} if not others:
            return _between(_numbers(values, f"{field}.integer"), 1, f"{field}.integer")
        case {"uniform": values, **others} if set(others) <= {"decimals"}:
            steps = 10 ** _decimals(others.get("decimals", DEFAULT_DECIMALS), f"{field}.decimals")
            return _between(_numbers(values, f"{field}.uniform"), steps, f"{field}.uniform")
    raise DefinitionError(field, "expected one of choices, integer, or uniform with decimals")


def _decimals(value: object, field: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_DECIMALS:
        raise DefinitionError(field, f"expected a whole number from 0 to {MAX_DECIMALS}, found {value!r}")
    return value


def _between(bounds: list[Fraction], steps: int, field: str) -> _Range:
    """The multiples of 1 / steps from the first bound to the second, both included."""
    if len(bounds) != 2 or any((bound * steps).denominator != 1 for bound in bounds) or bounds[0] > bounds[1]:
        raise DefinitionError(field, "expected the smallest and the largest value, with no more decimals than declared")
    return _Range(first=bounds[0], step=Fraction(1, steps), count=int((bounds[1] - bounds[0]) * steps) + 1)


def _numbers(value: object, field: str) -> list[Fraction]:
    if not isinstance(value, list | tuple) or not value:
        raise DefinitionError(field, "expected a list of numbers")
    try:
        return [read_number(number) for number in value]
    except ResponseError as error:
        raise DefinitionError(field, str(error)) from error


def _random(seed: str, name: str, count: int) -> int:
    """A number below `count`, the same for the same seed and name."""
    digest = hashlib.blake2b(f"{name}\n{seed}".encode(), digest_size=16).digest()
    return int.from_bytes(digest, "big") % count


def _with_answers(value: Any, numbers: Mapping[str, Fraction], field: str) -> Any:
    """`value` with all fields called answer in it filled, whatever the depth."""
    if isinstance(value, Mapping):
        return {name: _with_answers(item, numbers, str(name)) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_answers(item, numbers, field) for item in value]
    if isinstance(value, str) and field == "answer":
        return _filled(value, numbers, field, digits=17)
    return value


def _prose(prompt: str, numbers: Mapping[str, Fraction]) -> str:
    parts = []
    end = 0
    for fenced in _FENCED.finditer(prompt):
        parts.append(_filled(prompt[end : fenced.start()], numbers, "prompt", digits=6))
        parts.append(_fence(fenced, numbers))
        end = fenced.end()
    parts.append(_filled(prompt[end:], numbers, "prompt", digits=6))
    return "".join(parts)


def _fence(fenced: re.Match[str], numbers: Mapping[str, Fraction]) -> str:
    info = fenced.group("info") or ""
    if not info.rstrip().endswith(DECLARED):
        return fenced.group()
    plain = fenced.group().replace(info, info.rstrip().removesuffix(DECLARED).rstrip(), 1)
    return _filled(plain, numbers, "prompt", digits=6)


def _filled(text: str, numbers: Mapping[str, Fraction], field: str, *, digits: int) -> str:
    parts = PLACE.split(text)
    for place in range(1, len(parts), 2):
        try:
            parts[place] = _shown(evaluate(parts[place].strip(), numbers), digits)
        except ResponseError as error:
            raise DefinitionError(field, f"{{{{{parts[place]}}}}}: {error}") from error
    return "".join(parts)


def _shown(number: Fraction, digits: int) -> str:
    """A whole number in full; another as a decimal in so many digits, without zeros at its end."""
    if number.denominator == 1 and abs(number) < 10**15:
        return str(number.numerator)
    try:
        return f"{float(number):.{digits}g}"
    except OverflowError:
        raise ResponseError("expected a smaller number") from None
