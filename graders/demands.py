"""What an exercise asks for beside the value of a call: arguments that stay as they are, and gradients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Value
from graders.cases import Case, Inputs, Raised, Returned
from graders.comparisons import Comparison
from graders.mismatches import Mismatch
from graders.tensors import compare

# A gradient adds up the rounding of the way there and of the way back.
GRADIENT_WIDENING: Final = 10.0
_IDENTICAL: Final = Comparison(rtol=0.0, atol=0.0, equal_nan=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedInput:
    """A call changed one of its arguments; `mismatch` compares it afterwards (actual) with before (expected)."""

    name: str
    mismatch: Mismatch


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongGradient:
    """The gradient for one argument is not the expected one; without a `mismatch` the graph is cut: there is none."""

    name: str
    mismatch: Mismatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RaisedGradient:
    """The call that was to find gradients raised an exception."""

    raised: Raised


Unmet = ChangedInput | WrongGradient | RaisedGradient


def unmet_demand(case: Case, given: Returned, comparison: Comparison) -> Unmet | None:
    """The first demand of the case, beside its value, that the call does not meet; None where it meets all."""
    if case.inputs_unchanged and (changed := _changed_input(case, given.after or Inputs())):
        return changed
    if case.gradients is None:
        return None
    if isinstance(given.gradients, Raised):
        return RaisedGradient(raised=given.gradients)
    return _wrong_gradient(given.gradients or {}, case.gradients, comparison)


def same_demands(case: Case, one: Returned, other: Returned, comparison: Comparison) -> bool:
    """Whether two calls agree in all that the case asks for beside their values."""
    if case.inputs_unchanged:
        changed = [_changed_input(case, given.after or Inputs()) is not None for given in (one, other)]
        if changed[0] != changed[1]:
            return False
    if case.gradients is None:
        return True
    if isinstance(one.gradients, Raised) or isinstance(other.gradients, Raised):
        kinds = [given.gradients.type if isinstance(given.gradients, Raised) else "" for given in (one, other)]
        return kinds[0] == kinds[1]
    return _wrong_gradient(one.gradients or {}, other.gradients or {}, comparison) is None


def _changed_input(case: Case, after: Inputs) -> ChangedInput | None:
    """The first argument that is not what it was, bit for bit but for the sign of zero."""
    found = _by_name(after, case.parameters)
    for name, before in _by_name(case.inputs, case.parameters).items():
        if (mismatch := compare(found.get(name), before, _IDENTICAL)) is not None:
            return ChangedInput(name=name, mismatch=mismatch)
    return None


def _by_name(inputs: Inputs, parameters: tuple[str, ...]) -> dict[str, Value]:
    """The arguments by the reference's names; a position where it has none."""
    named = {
        parameters[place] if place < len(parameters) else f"argument {place + 1}": value
        for place, value in enumerate(inputs.args)
    }
    return {**named, **inputs.kwargs}


def _wrong_gradient(
    actual: Mapping[str, Value], expected: Mapping[str, Value], comparison: Comparison
) -> WrongGradient | None:
    """The first gradient that differs, none at all being the same as zeros."""
    policy = replace(comparison.widened(GRADIENT_WIDENING), equal_nan=True)
    for name, ours in expected.items():
        theirs = actual.get(name)
        if _is_zero(theirs) and _is_zero(ours):
            continue
        if theirs is None:
            return WrongGradient(name=name)
        if (mismatch := compare(theirs, ours, policy)) is not None:
            return WrongGradient(name=name, mismatch=mismatch)
    return None


def _is_zero(gradient: Value) -> bool:
    if isinstance(gradient, list | tuple):
        return all(_is_zero(item) for item in gradient)
    # What was never written may hold NaN of a kind that even this complains of.
    with np.errstate(invalid="ignore"):
        return gradient is None or (isinstance(gradient, Array) and not np.any(gradient.values))
