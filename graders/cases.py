"""What is judged in a code exercise: cases with their expected values, and what the solution gave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from graders.arrays import Value
from graders.comparisons import Comparison
from graders.metrics import Training
from graders.mismatches import Mismatch
from graders.outcomes import Verdict
from graders.printed import compare_printed
from graders.properties import Property
from graders.tensors import compare


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """What a call is given: arguments by position and by name, and the state that an object is loaded with."""

    args: tuple[Value, ...] = ()
    kwargs: Mapping[str, Value] = field(default_factory=dict)
    state: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A call ended in an exception; `line` and `traceback` are of the solution's own file."""

    type: str
    message: str = ""
    line: int | None = None
    traceback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """A call ended and gave a value.

    Where the exercise asks for more: `after` are its arguments as they were after the call; `gradients` are those by
    name of argument (None where the value does not depend on it), or what the call raised that was to find them.
    `steps` counts those of torch's optimisers. `further` is what further calls gave that tell whether properties hold,
    those of each property in turn.
    """

    value: Value
    after: Inputs | None = None
    gradients: Mapping[str, Value] | Raised | None = None
    steps: int = 0
    further: tuple[Returned | Raised, ...] = ()


Given = Returned | Raised


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One call and what it must give. `index` is its place in `visible()` or in `hidden()`, `draw` counts from 0.

    `inputs` are what it is given, `parameters` the names that the reference has for them. With `inputs_unchanged` they
    must be the same after the call; `gradients` are those of the reference, by name of argument, None where none are
    asked for. With `training` the value is predictions, which are measured by `targets` and not compared.

    `mistakes` holds what each listed mistake gave on the same inputs, by slug. With `compare_as_printed` the texts are
    compared as printed ones: numbers within tolerance, spaces as they come.
    """

    name: str
    visible: bool
    index: int
    expected: Value
    draw: int = 0
    points: Decimal = Decimal(1)
    mistakes: Mapping[str, Given] = field(default_factory=dict)
    compare_as_printed: bool = False
    inputs: Inputs = Inputs()
    parameters: tuple[str, ...] = ()
    inputs_unchanged: bool = False
    gradients: Mapping[str, Value] | None = None
    training: Training | None = None
    targets: Value = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """A known wrong solution and what its author says to those who made it."""

    slug: str
    title: str
    feedback: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Demanded:
    """A property that outputs must have in every case, and what it is worth."""

    property: Property
    points: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """All that judging a code submission needs beside what it gave: visible cases first, then hidden draw by draw."""

    cases: tuple[Case, ...]
    comparison: Comparison
    mistakes: tuple[Mistake, ...] = ()
    properties: tuple[Demanded, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """How a run ended that did not end well: its verdict, and `detail` in words for the student.

    `error` is set where the source did not load; then there are no results at all.
    """

    verdict: Verdict
    detail: str = ""
    error: Raised | None = None


def compare_in(case: Case, actual: Value, expected: Value, policy: Comparison) -> Mismatch | None:
    """How `actual` differs from `expected` where this case is judged: as printed text, or as a value."""
    if case.compare_as_printed and isinstance(actual, str) and isinstance(expected, str):
        return compare_printed(actual, expected)
    return compare(actual, expected, policy)


def listed_mistakes(exercise: Mapping[str, Any]) -> tuple[Mistake, ...]:
    """The mistakes that exercise.yaml lists, in its order."""
    listed = exercise.get("mistakes") or {}
    return tuple(
        Mistake(slug=slug, title=fields.get("title") or slug, feedback=fields.get("feedback") or "")
        for slug, fields in listed.items()
    )
