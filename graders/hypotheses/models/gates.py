"""A gated feed-forward unit from a state dict: its parts left out, turned round, or with another activation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.observations import MOST_CELLS, Observation
from graders.hypotheses.predictions import Computation, Sought

Activation = Callable[[Numbers], Numbers]


def _sigmoid(x: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-x)))


def _silu(x: Numbers) -> Numbers:
    return x * _sigmoid(x)


def _relu(x: Numbers) -> Numbers:
    return np.maximum(x, 0)


def _identity(x: Numbers) -> Numbers:
    return x


ACTIVATIONS: Final[tuple[Activation, ...]] = (_silu, _sigmoid, _relu, np.tanh, _identity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """x·residual + down(act(gate(x)) · up(x)) + bias; `order` says which matrix is gate and which is up."""

    activation: Activation
    residual: float
    order: tuple[int, int]
    bias: float = 1.0
    turned: frozenset[int] = frozenset()
    sign: float = 1.0


def gates(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Two matrices `(hidden, width)` and one `(width, hidden)` in the state, with a bias `(width)` or without."""
    floats, matrices = observation.floats, [array for array in observation.state if array.ndim == 2]
    if len(floats) != 1 or len(matrices) != 3 or floats[0].ndim < 1:
        return
    vectors = [array for array in observation.state if array.ndim == 1]
    for down, gate, up in permutations(range(3)):
        chosen = [matrices[place] for place in (gate, up, down)]
        hidden, width = chosen[0].shape
        fit = chosen[0].shape == chosen[1].shape == chosen[2].T.shape and width == floats[0].shape[-1]
        if fit and floats[0].size // width * hidden <= MOST_CELLS:
            forms = [
                Gate(activation=activation, residual=residual, order=(0, 1))
                for activation in ACTIVATIONS
                for residual in (1.0, 0.0)
            ]
            yield from computations(
                observation, forms, partial(_compute, floats[0], chosen, vectors), vary=_vary, sought=sought
            )


def _compute(x: Numbers, matrices: list[Numbers], vectors: list[Numbers], form: Gate) -> list[Numbers]:
    turned = [matrix.T if place in form.turned else matrix for place, matrix in enumerate(matrices)]
    gate, up, down = x @ turned[form.order[0]].T, x @ turned[form.order[1]].T, turned[2]
    out = (form.activation(gate) * up) @ down.T + form.bias * (vectors[0] if vectors else 0.0)
    return [form.residual * x + form.sign * out]


def _vary(form: Gate) -> Iterator[Varied[Gate]]:
    if form.residual:
        yield Varied(cause=Cause.RESIDUAL_MISSING, variant="residual", form=replace(form, residual=0.0))
        yield Varied(cause=Cause.SIGN, variant="input", form=replace(form, residual=-form.residual))
    yield Varied(cause=Cause.SIGN, variant="residual", form=replace(form, sign=-1.0))
    yield Varied(cause=Cause.SHIFTED, variant="bias", form=replace(form, bias=0.0), words={"vector": True})
    for places in ((0,), (1,), (2,), (0, 1, 2)):
        changed = replace(form, turned=frozenset(places))
        yield Varied(cause=Cause.TRANSPOSED, variant=f"matrices {places}", form=changed, words={"inside": "projection"})
    swapped = replace(form, order=(1, 0))
    yield Varied(cause=Cause.ROLES_SWAPPED, variant="gate and up", form=swapped)
