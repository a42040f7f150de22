"""One step of SGD with momentum, or of Adam: with a term, a rate or a correction left out or turned round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.observations import Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

# Defaults of torch.optim.SGD and torch.optim.Adam, torch 2.13; 0.9 is the usual momentum.
SGD_DEFAULTS: Final = {"lr": 0.01, "momentum": 0.9, "weight_decay": 0.0, "nesterov": 0.0}
ADAM_DEFAULTS: Final = {"step": 1.0, "lr": 0.001, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Momentum:
    """One way to step. Signs and factors of the terms; 0 leaves one out."""

    lr: float
    momentum: float
    weight_decay: float
    nesterov: bool
    direction: float = -1.0
    fresh: float = 1.0
    earlier: float = 1.0
    rate_inside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Adam:
    """One way to step. `corrections` divide the moments by 1 − β^step (0 leaves that out)."""

    lr: float
    beta1: float
    beta2: float
    eps: float
    step: float
    direction: float = -1.0
    corrections: tuple[bool, bool] = (True, True)
    power: float = 0.5
    gradient_power: float = 2.0
    fresh: tuple[float | None, float | None] = (None, None)


def momentum_steps(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Parameter, gradient and velocity of one shape, then rate, momentum, weight decay and Nesterov's way."""
    floats = _alike(observation, 3)
    if floats:
        known = _named(observation, SGD_DEFAULTS)
        form = Momentum(
            lr=known["lr"],
            momentum=known["momentum"],
            weight_decay=known["weight_decay"],
            nesterov=bool(known["nesterov"]),
        )
        yield from computations(
            observation, [form], partial(_momentum_step, floats), vary=_vary_momentum, sought=sought
        )


def adam_steps(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Parameter, gradient and both moments of one shape, then the number of the step, rate, decays and eps."""
    floats = _alike(observation, 4)
    if floats:
        known = _named(observation, ADAM_DEFAULTS)
        form = Adam(lr=known["lr"], beta1=known["beta1"], beta2=known["beta2"], eps=known["eps"], step=known["step"])
        yield from computations(observation, [form], partial(_adam_step, floats), vary=_vary_adam, sought=sought)


def _alike(observation: Observation, count: int) -> list[Numbers]:
    floats = observation.floats
    return floats if len(floats) == count and len({array.shape for array in floats}) == 1 else []


def _named(observation: Observation, defaults: dict[str, float]) -> dict[str, float]:
    by_place = dict(zip(defaults, observation.numbers, strict=False))
    by_name = {name: value for name, value in observation.options.items() if name in defaults}
    return defaults | by_place | by_name


def _momentum_step(floats: list[Numbers], form: Momentum) -> list[Numbers]:
    parameter, gradient, velocity = floats
    gradient = gradient + form.weight_decay * parameter
    rate = form.lr if form.rate_inside else 1.0
    velocity = form.earlier * form.momentum * velocity + form.fresh * rate * gradient
    ahead = rate * gradient + form.momentum * velocity if form.nesterov else velocity
    taken = ahead if form.rate_inside else form.lr * ahead
    return [parameter + form.direction * taken, velocity]


def _adam_step(floats: list[Numbers], form: Adam) -> list[Numbers]:
    parameter, gradient, first, second = floats
    fresh = [
        1 - beta if given is None else given for beta, given in zip((form.beta1, form.beta2), form.fresh, strict=True)
    ]
    first = form.beta1 * first + fresh[0] * gradient
    second = form.beta2 * second + fresh[1] * np.abs(gradient) ** form.gradient_power
    upper = first / (1 - form.beta1**form.step) if form.corrections[0] else first
    lower = second / (1 - form.beta2**form.step) if form.corrections[1] else second
    divisor = lower**form.power + form.eps
    return [parameter + form.direction * form.lr * upper / divisor, first, second]


def _vary_momentum(form: Momentum) -> Iterator[Varied[Momentum]]:
    yield Varied(cause=Cause.SIGN, variant="direction", form=replace(form, direction=1.0), words={"step": True})
    yield Varied(cause=Cause.SIGN, variant="gradient", form=replace(form, fresh=-1.0), words={"step": True})
    yield Varied(cause=Cause.SIGN, variant="velocity", form=replace(form, earlier=-1.0), words={"step": True})
    yield Varied(cause=Cause.SIGN, variant="decay", form=replace(form, weight_decay=-form.weight_decay))
    words: Facts = {"named": "", "of": "", "varies": False, "step": True}
    scaled = {
        "dampened": (1 - form.momentum, replace(form, fresh=1 - form.momentum)),
        "rate inside": (form.lr, replace(form, rate_inside=True)),
        "no rate": (1 / form.lr if form.lr else 1.0, replace(form, lr=1.0)),
        "rate twice": (form.lr, replace(form, lr=form.lr**2)),
        "decay halved": (0.5, replace(form, weight_decay=form.weight_decay / 2)),
        "decay doubled": (2.0, replace(form, weight_decay=2 * form.weight_decay)),
    }
    for variant, (factor, changed) in scaled.items():
        yield Varied(cause=Cause.SCALED, variant=variant, form=changed, words=words | {"factor": factor})


def _vary_adam(form: Adam) -> Iterator[Varied[Adam]]:
    yield Varied(cause=Cause.SIGN, variant="direction", form=replace(form, direction=1.0), words={"step": True})
    words: Facts = {"named": "", "of": "", "varies": False, "step": True}
    corrections = {"neither": (False, False), "second": (True, False), "first": (False, True)}
    for variant, kept in corrections.items():
        changed = replace(form, corrections=kept)
        yield Varied(
            cause=Cause.SCALED, variant=f"corrected {variant}", form=changed, words=words | {"correction": True}
        )
    yield Varied(cause=Cause.SCALED, variant="no rate", form=replace(form, lr=1.0), words=words)
    for variant, fresh in (("first", (1.0, None)), ("second", (None, 1.0)), ("both", (1.0, 1.0))):
        yield Varied(cause=Cause.SCALED, variant=f"sum {variant}", form=replace(form, fresh=fresh), words=words)
    for variant, power in (("no root", 1.0), ("no divisor", 0.0)):
        yield Varied(cause=Cause.POWER, variant=variant, form=replace(form, power=power), words={"function": "root"})
    changed = replace(form, gradient_power=1.0)
    yield Varied(cause=Cause.POWER, variant="gradient", form=changed, words={"function": "square"})
    yield Varied(cause=Cause.EPS_MISSING, variant="none", form=replace(form, eps=0.0))
    for by in (-1, 1):
        changed = replace(form, step=form.step + by)
        yield Varied(cause=Cause.SCALED, variant=f"step {by}", form=changed, words={"counter": True})
