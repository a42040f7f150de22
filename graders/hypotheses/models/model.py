"""How a known computation becomes hypotheses: it must give what is expected, then it is varied."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Observation, close
from graders.hypotheses.predictions import Computation, Facts, Sought

Form = TypeVar("Form")

CERTAIN = 0.97
"""Weight of a variation: it accounts for every value from the inputs alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Varied(Generic[Form]):
    """A computation with one thing changed, and the cause that this change stands for."""

    cause: Cause
    variant: str
    form: Form
    weight: float = CERTAIN
    words: Facts = field(default_factory=dict)


def computations(
    observation: Observation,
    forms: Iterable[Form],
    compute: Callable[[Form], Sequence[Numbers]],
    *,
    vary: Callable[[Form], Iterable[Varied[Form]]],
    sought: Sought,
) -> Iterator[Computation]:
    """What each variation of the first of `forms` gives that computes what is expected; nothing if none does.

    `compute` gives named results in a fixed order; the outputs of the case may be any of them. A form or variation
    that does not fit the shapes, or divides by zero, is passed over.
    """
    for form in forms:
        places = _places(observation, _computed(compute, form))
        if places is None:
            continue
        for varied in vary(form):
            if not sought(varied.cause, varied.variant):
                continue
            results = _computed(compute, varied.form)
            if len(results) > max(place or 0 for place in places):
                values = tuple(None if place is None else results[place] for place in places)
                yield Computation(
                    cause=varied.cause,
                    variant=varied.variant,
                    values=values,
                    weight=varied.weight,
                    words=varied.words,
                )
        return


def _computed(compute: Callable[[Form], Sequence[Numbers]], form: Form) -> Sequence[Numbers]:
    try:
        return compute(form)
    except (ValueError, IndexError, ArithmeticError):
        return ()


def _places(observation: Observation, results: Sequence[Numbers]) -> list[int | None] | None:
    """Which result each output is; None as a whole where one that is wrong is none of them."""
    places = [
        next(
            (
                place
                for place, result in enumerate(results)
                if close(result, leaf.expected, rtol=leaf.rtol, atol=leaf.atol)
            ),
            None,
        )
        for leaf in observation.leaves
    ]
    lacking = [leaf for leaf, place in zip(observation.leaves, places, strict=True) if place is None]
    if any(leaf.is_wrong for leaf in lacking) or len(lacking) == len(places):
        return None
    return places
