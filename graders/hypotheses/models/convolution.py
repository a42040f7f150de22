"""Convolution in one or two dimensions: kernel reversed, padding or bias otherwise, sums for means."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from graders.arrays import Numbers
from graders.hypotheses.causes import Cause
from graders.hypotheses.models.model import Varied, computations
from graders.hypotheses.observations import MOST_CELLS, Observation
from graders.hypotheses.predictions import Computation, Facts, Sought

Padding = Literal["both", "left", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Convolution:
    """One way to slide a kernel along. `bias` is the factor of the bias."""

    stride: int
    padding: int
    bias: float = 1.0
    flipped: tuple[int, ...] = ()
    pad: Padding = "both"
    move: int = 0
    divisor: float = 1.0
    sign: float = 1.0
    turned: bool = False
    combine: Literal["sum", "apart"] = "sum"


def convolutions(observation: Observation, sought: Sought) -> Iterator[Computation]:
    """Input `(batch, channels, …)`, kernels `(outputs, channels, …)`, bias `(outputs)`; stride and padding by name."""
    floats = observation.floats
    if len(floats) < 2 or floats[0].ndim not in (3, 4) or floats[1].ndim != floats[0].ndim:
        return
    x, kernel = floats[:2]
    bias = floats[2] if len(floats) > 2 else np.zeros(kernel.shape[0])
    if x.shape[1] != kernel.shape[1] or bias.shape != kernel.shape[:1]:
        return
    numbers = [int(number) for number in observation.numbers[:2]]
    stride = int(observation.options.get("stride", numbers[0] if numbers else 1))
    padding = int(observation.options.get("padding", numbers[1] if len(numbers) > 1 else 0))
    wide = math.prod(length + 2 * max(padding, 0) for length in x.shape[2:])
    if x.shape[0] * x.shape[1] * max(kernel.shape[0], kernel[0, 0].size) * wide > MOST_CELLS:
        return
    forms = [Convolution(stride=max(stride, 1), padding=max(padding, 0))]
    yield from computations(
        observation, forms, partial(_compute, x, kernel, bias), vary=partial(_vary, kernel=kernel), sought=sought
    )


def _compute(x: Numbers, kernel: Numbers, bias: Numbers, form: Convolution) -> list[Numbers]:
    kernel = np.flip(kernel, form.flipped) if form.flipped else kernel
    if form.turned:
        kernel = np.swapaxes(kernel, 0, 1)
    padded = _padded(x, form)
    spatial = tuple(range(2, x.ndim))
    windows = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[2:], axis=spatial)
    steps = (slice(None), slice(None), *[slice(None, None, form.stride)] * len(spatial))
    windows = windows[steps]
    flat = windows.reshape(*windows.shape[: x.ndim], -1)
    names = "lm"[: len(spatial)]
    out = f"bco{names}" if form.combine == "apart" else f"bo{names}"
    product = np.einsum(f"bc{names}k,ock->{out}", flat, kernel.reshape(*kernel.shape[:2], -1))
    along = form.bias * bias.reshape(-1, *[1] * len(spatial))
    return [form.sign * product / form.divisor + along]


def _padded(x: Numbers, form: Convolution) -> Numbers:
    by = form.padding
    if form.move:
        return _moved(x, by, form.move)
    if not by:
        return x
    sides = {"left": (2 * by, 0), "right": (0, 2 * by)}.get(form.pad, (by, by))
    return np.pad(x, [(0, 0), (0, 0), *[sides] * (x.ndim - 2)])


def _moved(x: Numbers, by: int, move: int) -> Numbers:
    """Padded with zeros on both sides, and what slides over it begins `move` places later."""
    wide = np.pad(x, [(0, 0), (0, 0), *[(by + 1, by + 1)] * (x.ndim - 2)])
    inner = [slice(1 + move, length - 1 + move) for length in wide.shape[2:]]
    return np.asarray(wide[(slice(None), slice(None), *inner)])


def _vary(form: Convolution, *, kernel: Numbers) -> Iterator[Varied[Convolution]]:
    spatial = tuple(range(2, kernel.ndim))
    yield Varied(cause=Cause.KERNEL_REVERSED, variant="kernel", form=replace(form, flipped=spatial))
    for name, axes in (("channels", (1,)), ("outputs", (0,))):
        words: Facts = {"kernel": name}
        changed = replace(form, flipped=axes)
        yield Varied(cause=Cause.ROWS_REORDERED, variant=f"{name} reversed", form=changed, words=words)
    yield Varied(
        cause=Cause.TRANSPOSED, variant="kernels", form=replace(form, turned=True), words={"inside": "kernels"}
    )
    yield Varied(cause=Cause.SHIFTED, variant="bias", form=replace(form, bias=0.0), words={"vector": True})
    yield Varied(cause=Cause.SIGN, variant="bias", form=replace(form, bias=-1.0))
    yield Varied(cause=Cause.SIGN, variant="product", form=replace(form, sign=-1.0))
    pads: tuple[Padding, ...] = ("left", "right")
    for pad in pads:
        words = {"axis": 2, "step": form.padding}
        yield Varied(cause=Cause.ROLLED, variant=f"padding {pad}", form=replace(form, pad=pad), words=words)
    for move in (1, -1):
        words = {"axis": 2, "step": 1}
        changed = replace(form, move=move)
        yield Varied(cause=Cause.ROLLED, variant=f"moved {move}", form=changed, words=words)
    counts = {"places": kernel[0, 0].size, "channels": kernel.shape[1], "all": kernel[0].size}
    for name, count in counts.items():
        words = {"factor": 1 / count, "count": count, "summed": False}
        yield Varied(cause=Cause.MEAN_FOR_SUM, variant=name, form=replace(form, divisor=count), words=words)
    yield Varied(cause=Cause.BROADCAST, variant="apart", form=replace(form, combine="apart"))
    for name, count in counts.items():
        words = {"factor": count, "named": "", "of": "", "varies": False, "bias": True}
        changed = replace(form, bias=float(count))
        yield Varied(cause=Cause.SCALED, variant=f"bias {name}", form=changed, words=words)
