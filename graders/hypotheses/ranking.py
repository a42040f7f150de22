"""Weighs all hypotheses over all cases: what explains every wrong case and no right one, the simplest first."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

import numpy as np

from graders.hypotheses import axes, factors, forms, functions, inputs, masks, normalisation, precision
from graders.hypotheses.causes import Cause
from graders.hypotheses.models import (
    attention,
    convolution,
    gates,
    heads,
    losses,
    norms,
    optimisers,
    positions,
    softmaxes,
)
from graders.hypotheses.observations import Observation, close, explained
from graders.hypotheses.predictions import Facts, Model, Relation, Sought

RELATIONS: Final[tuple[Relation, ...]] = (
    inputs.input_returned,
    factors.negated,
    axes.transposed,
    axes.permuted,
    axes.rolled,
    axes.reordered,
    factors.other_base,
    factors.summed,
    factors.biased,
    factors.scaled,
    factors.shifted,
    factors.reflected,
    inputs.residual_missing,
    inputs.other_direction,
    inputs.vector_missing,
    functions.powers,
    functions.logarithms,
    functions.tempered,
    normalisation.summing_elsewhere,
    normalisation.standardised_elsewhere,
    normalisation.unnormalised,
    masks.mask_of_weights,
    precision.rounded,
    precision.half_precision,
    forms.other_rank,
)
MODELS: Final[tuple[Model, ...]] = (
    softmaxes.softmaxes,
    attention.attentions,
    heads.multi_heads,
    norms.norms,
    losses.losses,
    positions.sinusoids,
    positions.rotations,
    convolution.convolutions,
    optimisers.momentum_steps,
    optimisers.adam_steps,
    gates.gates,
)
ANY: Final = "any"
ANY_VARIANT: Final = 0.8
"""What is left of the weight where one case is explained by one variant and the next by another."""
FEWEST_VALUES: Final = 3
"""With fewer wrong values any rule fits by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for a cause: the share of the differences explained times how specific it is, from 0 to 1.

    `words` are facts for the sentence, by place of the case that they are of.
    """

    cause: Cause
    strength: float
    words: dict[int, Facts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """A variant that holds in one case or, merged, in several. A value of `explained` of 0 speaks against it."""

    explained: float
    weight: float
    parameter: float | None = None
    words: dict[int, Facts] = field(default_factory=dict)


Made = TypeVar("Made")
_Key = tuple[Cause, str]
_Findings = dict[_Key, _Finding]
_Look = Callable[[Observation, Sought], _Findings | None]
"""What a hypothesis finds in one case; None where it has nothing to say there."""


def evidence(observations: Sequence[Observation]) -> list[Evidence]:
    """The causes that explain every wrong case and contradict no right one, the best first."""
    wrong = [observation for observation in observations if observation.is_wrong]
    right = [observation for observation in observations if not observation.is_wrong]
    if (
        sum(int(np.isfinite(leaf.actual).sum()) for one in wrong for leaf in one.leaves if leaf.is_wrong)
        < FEWEST_VALUES
    ):
        return []
    places = {place for one in wrong for place, leaf in enumerate(one.leaves) if leaf.is_wrong}
    found: list[tuple[_Key, _Finding]] = []
    for relation in RELATIONS:
        found += _surviving(partial(_of_relation, relation, places), wrong, right).items()
    for model in MODELS:
        held = _surviving(partial(_of_model, model), wrong, right)
        found += (held or _surviving(partial(_of_any_variant, model), wrong, right)).items()
    best = sorted(found, key=lambda entry: -_strength(entry[1]))
    return [Evidence(cause=cause, strength=_strength(finding), words=finding.words) for (cause, _), finding in best]


def _strength(finding: _Finding) -> float:
    return finding.explained * finding.weight


def _surviving(look: _Look, wrong: Sequence[Observation], right: Sequence[Observation]) -> _Findings:
    """What holds in all wrong cases with one parameter, and is not contradicted by a right one."""
    held = _holding(look(wrong[0], _everything) or {})
    for observation in (*wrong[1:], *right):
        if not held:
            return {}
        seen = look(observation, partial(_is_held, held))
        if seen is not None:
            held = _holding(_both(held, seen))
        elif observation.is_wrong:
            return {}
    return held


def _holding(found: _Findings) -> _Findings:
    return {key: finding for key, finding in found.items() if finding.explained > 0}


def _everything(cause: Cause, variant: str) -> bool:
    return True


def _is_held(held: _Findings, cause: Cause, variant: str) -> bool:
    return (cause, variant) in held or (cause, ANY) in held


def _both(held: _Findings, seen: _Findings) -> _Findings:
    return {key: _merged(finding, seen[key]) for key, finding in held.items() if key in seen}


def _merged(one: _Finding, other: _Finding) -> _Finding:
    agree = (
        one.parameter is None
        or other.parameter is None
        or math.isclose(one.parameter, other.parameter, rel_tol=factors.SAME)
    )
    explained_by_both = min(one.explained, other.explained) if agree else 0.0
    return replace(
        one,
        explained=explained_by_both,
        weight=min(one.weight, other.weight),
        words={**one.words, **other.words},
    )


def _of_relation(relation: Relation, places: set[int], observation: Observation, sought: Sought) -> _Findings | None:
    """What the relation finds in every leaf that matters: the wrong ones, or of a right case those wrong elsewhere."""
    wrong = observation.is_wrong
    leaves = [leaf for place, leaf in enumerate(observation.leaves) if (leaf.is_wrong if wrong else place in places)]
    # As in a comparison, shapes come first: where one is wrong, values elsewhere may only follow from it.
    leaves = [leaf for leaf in leaves if not leaf.is_aligned] or leaves
    found: _Findings | None = None
    for leaf in leaves:
        here: _Findings = {}
        for prediction in _all_that_fit(relation(observation, leaf)):
            held = (
                explained(prediction.values, leaf)
                if wrong
                else float(close(prediction.values, leaf.actual, rtol=leaf.rtol, atol=leaf.atol))
            )
            finding = _Finding(
                explained=held,
                weight=prediction.weight,
                parameter=prediction.parameter,
                words={observation.case: prediction.words},
            )
            key = prediction.cause, prediction.variant
            if key not in here or _strength(finding) > _strength(here[key]):
                here[key] = finding
        if here:
            found = here if found is None else _both(found, here)
        elif wrong:
            return {}
    return found


def _all_that_fit(made: Iterable[Made]) -> Iterator[Made]:
    """What a hypothesis makes, up to where it does not fit the shapes or sizes of the case: numpy refuses those."""
    with contextlib.suppress(ValueError, IndexError, ArithmeticError):
        yield from made


def _of_model(model: Model, observation: Observation, sought: Sought) -> _Findings | None:
    """What the model finds; every leaf that it speaks of must be as it says."""
    found: _Findings = {}
    for computation in _all_that_fit(model(observation, sought)):
        shares = [
            explained(values, leaf)
            if leaf.is_wrong
            else float(close(values, leaf.actual, rtol=leaf.rtol, atol=leaf.atol))
            for values, leaf in zip(computation.values, observation.leaves, strict=True)
            if values is not None
        ]
        held = min(shares)
        key = computation.cause, computation.variant
        if key not in found or held > found[key].explained:
            words = {observation.case: computation.words}
            found[key] = _Finding(explained=held, weight=computation.weight, words=words)
    return found or None


def _of_any_variant(model: Model, observation: Observation, sought: Sought) -> _Findings | None:
    """What the model finds by cause, whichever variant holds: sizes may decide which one an author of it takes."""
    found = _of_model(model, observation, sought)
    if found is None:
        return None
    best: _Findings = {}
    for (cause, _), finding in found.items():
        key = cause, ANY
        if key not in best or finding.explained > best[key].explained:
            best[key] = replace(finding, weight=finding.weight * ANY_VARIANT, words={})
    return best
