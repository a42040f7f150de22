"""Checks that tolerances stand well above the numerical noise of the reference."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, difference, in_float64, python_number
from graders.arrays import Value as GradersValue
from graders.comparisons import Comparison
from worker.cases import Case
from worker.checking.drawing import AT_ONCE, Material
from worker.checking.findings import Check, Finding
from worker.checking.runners import Varied
from worker.demands import Actual
from worker.grading import Prepared
from worker.sandbox.job import Call, TensorBytes, Value
from worker.solution import Request, run_solution
from worker.values import border_value, graders_value

MARGIN: Final = 10
THREADS: Final = (1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The largest difference that was seen, as a share of the tolerance; `case` has it, `how` made it."""

    share: float = 0.0
    case: str = ""
    how: str = ""


def noise_findings(material: Material, facts: dict[str, str]) -> Iterator[Finding]:
    """Noise above a tenth of the tolerance; how far below it stays is put among the facts. Raises: SandboxError."""
    noise = max(_noises(material), key=lambda found: found.share, default=Noise())
    facts["noise"] = "none" if not noise.share else f"{noise.share:.2g} of the tolerance ({noise.how})"
    if noise.share * MARGIN > 1:
        message = (
            f'"{noise.case}" comes out otherwise {noise.how}: by {_words(noise.share)}. '
            f"Numerical noise must stay {MARGIN} times below the tolerance: widen compare, or change the inputs"
        )
        yield Finding(check=Check.NOISE, message=message, file="exercise.yaml")


def _words(share: float) -> str:
    return "a value that is compared exactly" if math.isinf(share) else f"{share:.2g} times the tolerance"


def _noises(material: Material) -> list[Noise]:
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        found = pool.map(lambda way: list(_compared(material, *way)), _ways(material))
        return [noise for noises in found for noise in noises]


def _ways(material: Material) -> Iterator[tuple[Prepared, str, str]]:
    """Other ways to compute the same: cases, a setting of torch, and how that is called."""
    for threads in THREADS:
        how = f"with {threads} {'thread' if threads == 1 else 'threads'}"
        yield material.made, f"set_num_threads({threads})", how
    # What the reference makes itself, tables or a layer, is double as well then.
    for made in material.groups:
        yield _in_double(made), "set_default_dtype(torch.float64)", "in double precision"


def _compared(material: Material, made: Prepared, setting: str, how: str) -> Iterator[Noise]:
    comparison, runner = made.key.comparison, Varied(runner=material.runner, setting=setting)
    request = Request(
        id="noise",
        exercise=material.exercise,
        source=material.reference,
        calls=tuple(replace(case.call, probes=None) for case in made.cases) if not _is_script(material) else (),
        lane="regrade",
        beside=made.beside,
    )
    actuals = run_solution(runner, request).actuals
    for number, case in enumerate(made.cases):
        actual = actuals.get(number, Actual())
        # What cannot be computed in another way has no noise that could be seen so.
        if actual.error is None and not isinstance(case.expected, str) and number in actuals:
            share = largest_share(graders_value(actual.value), graders_value(case.expected), comparison=comparison)
            yield Noise(share=share, case=case.name, how=how)


def _is_script(material: Material) -> bool:
    return bool(material.exercise["kind"] == "script")


def _in_double(made: Prepared) -> Prepared:
    return replace(made, cases=tuple(map(_case_in_double, made.cases)))


def _case_in_double(case: Case) -> Case:
    call = case.call
    doubled: Call = replace(
        call,
        args=tuple(map(_doubled, call.args)),
        kwargs={name: _doubled(value) for name, value in call.kwargs.items()},
        init=None if call.init is None else {name: _doubled(value) for name, value in call.init.items()},
        state=None if call.state is None else {name: _doubled(value) for name, value in call.state.items()},
    )
    return replace(case, call=doubled)


def _doubled(value: Value) -> Value:
    """The value with every float32 in it as float64."""
    if isinstance(value, TensorBytes):
        array = graders_value(value)
        if not isinstance(array, Array) or array.dtype != "float32":
            return value
        return border_value(replace(array, dtype="float64", values=array.values.astype(np.float64)))
    if isinstance(value, dict):
        return {name: _doubled(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_doubled(item) for item in value]
    return tuple(map(_doubled, value)) if isinstance(value, tuple) else value


def largest_share(actual: GradersValue, expected: GradersValue, *, comparison: Comparison) -> float:
    """|actual − expected| as a share of the tolerance, where it is largest; infinite where exact values differ.

    Values of different structure or shape have no such share: 0, as they were computed in no comparable way.
    """
    if isinstance(expected, Mapping):
        items = [(actual.get(name), item) for name, item in expected.items()] if isinstance(actual, Mapping) else []
        return max((largest_share(left, right, comparison=comparison) for left, right in items), default=0.0)
    if isinstance(expected, list | tuple):
        pairs = list(zip(actual, expected, strict=False)) if isinstance(actual, list | tuple) else []
        return max((largest_share(left, right, comparison=comparison) for left, right in pairs), default=0.0)
    ours, theirs = _array(expected), _array(actual)
    if ours is None or theirs is None or ours.shape != theirs.shape or not ours.values.size:
        return 0.0
    return _share(theirs, ours, comparison)


def _array(value: GradersValue) -> Array | None:
    if isinstance(value, Array):
        return value
    return python_number(value) if isinstance(value, int | float | complex) else None


def _share(actual: Array, expected: Array, comparison: Comparison) -> float:
    if expected.is_exact:
        return math.inf if actual.is_exact and bool((actual.values != expected.values).any()) else 0.0
    rtol, atol = comparison.tolerance(expected, expected)
    with np.errstate(all="ignore"):
        distances = np.abs(difference(actual, expected))
        shares = np.where(distances == 0, 0.0, distances / (atol + rtol * np.abs(in_float64(expected))))
    finite = np.isfinite(in_float64(actual)) & np.isfinite(in_float64(expected))
    return float(np.max(shares, where=finite, initial=0.0))
