"""Likely causes of a mismatch: the author's listed mistakes, matched by what they give on the same inputs; then
generic hypotheses, weighed over all cases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final

import numpy as np

from graders.arrays import Value
from graders.cases import Case, Given, Key, Raised, Returned, compare_in
from graders.comparisons import Comparison
from graders.demands import same_demands, unmet_demand
from graders.hypotheses.across import is_hard_coded, is_unwritten
from graders.hypotheses.causes import Cause
from graders.hypotheses.forms import other_form
from graders.hypotheses.observations import Observation, arrays_in, observe
from graders.hypotheses.ranking import evidence

# Two spellings of one mistake may round differently by more than a right solution does: a mistake often leaves the
# well-conditioned path. A mistake is told from the reference by the same factor, so no right output matches it.
WIDENING: Final = 10.0

CLAIMED: Final = 0.5
"""Below this strength nothing is said: no cause is better than a false one."""
UNSEEN: Final = 0.8
"""What is left of the strength where a wrong case cannot be looked at: it raised, or is too large."""
MOST_CASES: Final = 16
MOST_ELEMENTS: Final = 50_000
MOST_PARTS: Final = 2_000
MOST_LEAVES: Final = 128
"""Larger cases, more of them, and those that expect more arrays and numbers are not looked at: it must stay cheap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A likely cause with the strength of its evidence (0 to 1), and facts for the sentence by place of the case."""

    cause: Cause
    strength: float
    words: dict[int, dict[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reached:
    """A case that was reached, its place in the key, what was given for it, and whether that is right."""

    place: int
    case: Case
    result: Given
    right: bool


def matching_mistake(key: Key, given: Sequence[Given | None]) -> str | None:
    """The slug of the listed mistake that explains `given` (one for each case; None where a case was not reached).

    It gives the same as the solution, in value or in type of exception, on every case that was reached, and something
    other than expected on at least one of them. If several do, the one that the most values speak for, then the
    author's order.
    """
    policy = replace(key.comparison.widened(WIDENING), equal_nan=True)
    reached = [(case, result) for case, result in zip(key.cases, given, strict=True) if result is not None]
    weights = {mistake.slug: _weight(mistake.slug, reached, policy) for mistake in key.mistakes}
    most = max(weights.values(), default=0)
    return next((slug for slug, weight in weights.items() if weight == most), None) if most else None


def _weight(slug: str, reached: Sequence[tuple[Case, Given]], policy: Comparison) -> int:
    """What speaks for the mistake: two for each wrong value, one for each exception; 0 if any case speaks against it.

    Where only exceptions speak for it, their messages must agree as well, but for the numbers in them.
    """
    values = exceptions = 0
    same_words = True
    for case, result in reached:
        theirs = case.mistakes.get(slug)
        if theirs is None or not _agree(case, result, theirs, policy=policy):
            return 0
        if isinstance(theirs, Returned):
            values += _differs(case, theirs, policy)
        else:
            exceptions += 1
            same_words = same_words and _words(result) == _words(theirs)
    return 2 * values + exceptions if values or same_words else 0


def _agree(case: Case, result: Given, theirs: Given, *, policy: Comparison) -> bool:
    if isinstance(result, Returned) and isinstance(theirs, Returned):
        same = compare_in(case, result.value, theirs.value, policy) is None
        return same and same_demands(case, result, theirs, policy)
    return isinstance(result, Raised) and isinstance(theirs, Raised) and result.type == theirs.type


def _differs(case: Case, theirs: Returned, policy: Comparison) -> bool:
    """Whether a mistake gives another value than expected, or does not meet another demand of the case."""
    if compare_in(case, theirs.value, case.expected, policy) is not None:
        return True
    return unmet_demand(case, theirs, policy) is not None


def _words(result: Given) -> list[str]:
    return re.findall(r"[^\W\d_]+", result.message) if isinstance(result, Raised) else []


def likely_cause(key: Key, given: Sequence[Given | None], accepted: Sequence[bool]) -> Diagnosis | None:
    """The best generic cause of what is wrong in `given`; None where the evidence for none is good enough.

    `accepted` says of each case whether it is right. A cause must explain every wrong case that returned values.
    Printed text and predictions of a training are not looked at.
    """
    cases = [
        _Reached(place=place, case=case, result=result, right=right)
        for place, (case, result, right) in enumerate(zip(key.cases, given, accepted, strict=True))
        if result is not None and not case.compare_as_printed and case.training is None
    ]
    with np.errstate(all="ignore"):  # What is not finite is compared as such.
        return _diagnosis(cases, key.comparison)


def _diagnosis(cases: Sequence[_Reached], policy: Comparison) -> Diagnosis | None:
    wrong = [(one.case, one.result) for one in cases if not one.right]
    values = [(case, result.value) for case, result in wrong if isinstance(result, Returned) and _is_small(result)]
    form = _common_form(values, policy) if len(values) == len(wrong) else None
    if form is not None:
        return Diagnosis(cause=form, strength=1.0)
    observations = _observations(cases, policy)
    best = _best(observations, unseen=len(wrong) > sum(one.is_wrong for one in observations))
    return best if best is not None else _of_visible_only(cases)


def _common_form(values: Sequence[tuple[Case, Value]], policy: Comparison) -> Cause | None:
    """What all wrong values are instead of the right tensors, if that is one thing."""
    forms = {other_form(actual, case.expected, policy) for case, actual in values}
    return forms.pop() if len(forms) == 1 else None


def _observations(cases: Sequence[_Reached], policy: Comparison) -> list[Observation]:
    """Cases as numbers, wrong ones first; what is too large or not built as expected is left out."""
    found = []
    for one in sorted(cases, key=attrgetter("right"))[:MOST_CASES]:
        case, result = one.case, one.result
        if not isinstance(result, Returned) or not _is_small(result):
            continue
        if _parts(case.expected) > MOST_LEAVES or _elements(result.value) + _elements(case.expected) > MOST_ELEMENTS:
            continue
        inputs = case.inputs
        if _elements([*inputs.args, *inputs.kwargs.values(), *inputs.state.values()]) <= MOST_ELEMENTS:
            seen = observe(result.value, case.expected, policy, inputs=inputs, case=one.place)
            found += [seen] if seen else []
    return found


def _is_small(result: Returned) -> bool:
    """Whether it has few parts: each number outside of an array costs as much as thousands in one."""
    return _parts(result.value) <= MOST_PARTS


def _parts(value: Value) -> int:
    if isinstance(value, dict):
        return sum(map(_parts, value.values()))
    return sum(map(_parts, value)) if isinstance(value, list | tuple) else 1


def _elements(value: Value) -> int:
    return sum(array.values.size for array in arrays_in(value))


def _best(observations: Sequence[Observation], *, unseen: bool) -> Diagnosis | None:
    if is_hard_coded(observations):
        return Diagnosis(cause=Cause.HARD_CODED, strength=0.8)
    if is_unwritten(observations):
        return Diagnosis(cause=Cause.UNINITIALISED, strength=0.8)
    if _says_nothing(observations):
        return None
    factor = UNSEEN if unseen else 1.0
    for found in evidence(observations)[:1]:
        if found.strength * factor >= CLAIMED:
            return Diagnosis(cause=found.cause, strength=found.strength * factor, words=found.words)
    return None


def _says_nothing(observations: Sequence[Observation]) -> bool:
    """Whether every wrong array holds one number only, always the same: zeros and ones fit too many computations."""
    wrong = [leaf.actual for one in observations for leaf in one.leaves if leaf.is_wrong]
    first = wrong[0].flat[0] if wrong else None
    return any(actual.size > 1 for actual in wrong) and all(bool(np.all(actual == first)) for actual in wrong)


def _of_visible_only(cases: Sequence[_Reached]) -> Diagnosis | None:
    """Right in every visible case and wrong beyond: the last thing to say, since it is seen and not concluded."""
    visible = [one.right for one in cases if one.case.visible]
    if visible and all(visible):
        return Diagnosis(cause=Cause.VISIBLE_ONLY, strength=CLAIMED)
    return None
