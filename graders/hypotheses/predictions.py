"""What a hypothesis gives: what would have been returned if it held, and how much that would say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.observations import Leaf, Observation

Facts = dict[str, Any]
"""What a sentence about a cause may be made of."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prediction:
    """What an output would be if `cause` held.

    `variant` tells one way of the cause from another and must be the same in all cases; `parameter` too, where there
    is one. `weight` (0 to 1) says how specific the prediction is. `words` are facts for the sentence.
    """

    cause: Cause
    variant: str
    values: Numbers
    weight: float
    parameter: float | None = None
    words: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Computation:
    """What all outputs would be if `cause` held; None for an output that it says nothing of."""

    cause: Cause
    variant: str
    values: tuple[Numbers | None, ...]
    weight: float
    words: Facts = field(default_factory=dict)


Relation = Callable[[Observation, Leaf], Iterable[Prediction]]
"""A hypothesis about how one array follows from the expected one."""

Sought = Callable[[Cause, str], bool]
"""Whether a variant of a cause is still in question; others need not be computed."""

Model = Callable[[Observation, Sought], Iterable[Computation]]
"""A hypothesis about how the outputs were computed from the inputs."""
