"""Causes inside of known computations: each written here by itself, right and then wrong in one thing."""

import numpy as np
import pytest

from tests.graders.hypotheses.computations import (
    adam_step,
    angles,
    batch,
    chosen,
    columns_of,
    convolve,
    drawn,
    entropy,
    gated,
    joined,
    moments,
    momentum_step,
    normal,
    rates,
    rms,
    sinusoids,
    soft,
    turned,
    unit,
)
from tests.graders.hypotheses.diagnosed import cause_of, generator

# Normalisation


NORMAL = [
    (drawn((3, 5), (5,), (5,)), {}),
    (drawn((2, 4, 6), (6,), (6,)), {}),
    (drawn((4, 4), (4,), (4,), spread=0.01), {"eps": 1e-4}),
]
NORMS = {
    "biased_for_unbiased": lambda *given, **more: normal(*given, **more, correction=1),
    "power": lambda *given, **more: normal(*given, **more, root=1),
    "not_normalised": lambda *given, **more: normal(*given, **more, root=0),
    "other_axis_normalised": lambda *given, **more: normal(*given, **more, axis=0),
    "other_axis_normalised ": lambda *given, **more: normal(*given, **more, axis=None),
    "shifted_by_constant": lambda *given, **more: normal(*given, **more, mean=0),
    "shifted_by_constant ": lambda x, w, b, **more: normal(x, w, 0 * b, **more),
    "sign": lambda *given, **more: normal(*given, **more, mean=-1),
    "sign ": lambda x, w, b, **more: normal(x, w, -b, **more),
    "eps_missing": lambda x, w, b, **more: normal(x, w, b, eps=0),
    "scaled": lambda x, w, b, **more: normal(x, 0 * w + 1, b, **more),
}


@pytest.mark.parametrize("name", NORMS)
def test_layer_norm(name):
    assert cause_of(normal, NORMS[name], NORMAL) == name.strip()


def test_layer_norm_over_all_but_the_first_axis():
    def wrong(x, *more, **options):
        return normal(x, *more, **options, axis=tuple(range(1, x.ndim)) if x.ndim > 2 else None)

    assert cause_of(normal, wrong, NORMAL) == "other_axis_normalised"


def test_rms_norm():
    cases = [drawn((3, 8), (8,)), drawn((2, 3, 6), (6,))]

    def summed(x, weight):
        return x / np.sqrt((x**2).sum(axis=-1, keepdims=True) + 1e-6) * weight

    def absolute(x, weight):
        return x / (np.sqrt(np.abs(x).mean(axis=-1, keepdims=True) ** 2 + 1e-6)) * weight

    assert cause_of(rms, summed, cases) == "mean_for_sum"
    assert cause_of(rms, absolute, cases) == "power"
    assert cause_of(rms, lambda x, w: rms(x, w) * (1 + w), cases) == ""


BATCHES = [(drawn((5, 3), (3,), (3,)), {}), (drawn((3, 4, 5), (4,), (4,)), {"momentum": 0.3})]


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"correction": 1}, "biased_for_unbiased"),
        ({"running": 0}, "biased_for_unbiased"),
        ({"correction": 1, "running": 0}, "biased_for_unbiased"),
        ({"power": 0.5}, "power"),
    ],
)
def test_batch_norm(more, cause):
    assert cause_of(batch, lambda *given, **options: batch(*given, **options, **more), BATCHES) == cause


def test_batch_norm_over_another_axis_with_right_running_values():
    def wrong(x, *running, **options):
        y = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)
        return (y, *batch(x, *running, **options)[1:])

    assert cause_of(batch, wrong, BATCHES) == "other_axis_normalised"


def test_batch_norm_with_running_values_as_they_were():
    assert cause_of(batch, lambda x, m, v, **more: (batch(x, m, v, **more)[0], m, v), BATCHES) == "input_returned"


# Losses


LOGITS = [
    (drawn((n, classes), seed=n)[0], generator(n).integers(classes, size=n)) for n, classes in ((3, 5), (4, 4), (6, 3))
]
LOSSES = {
    "sign": lambda x, t: -entropy(x, t),
    "mean_for_sum": lambda x, t: entropy(x, t) * len(t),
    "mean_for_sum ": lambda x, t: entropy(x, t) / x.shape[1],
    "log_or_exp": lambda x, t: -chosen(soft(x), t).mean(),
    "log_or_exp ": lambda x, t: entropy(x, t) / np.log(2),
    "log_or_exp  ": lambda x, t: np.exp(entropy(x, t)),
    "logits_for_probabilities": lambda x, t: -chosen(x, t).mean(),
    "logits_for_probabilities ": lambda x, t: entropy(soft(x), t),
    "other_axis_softmax": lambda x, t: -chosen(np.log(soft(x, 0)), t).mean(),
    "not_normalised": lambda x, t: -chosen(x - x.max(axis=1, keepdims=True), t).mean(),
    "wrong_rank_broadcast": lambda x, t: -chosen(rates(x), t),
    "wrong_rank_broadcast ": lambda x, t: -rates(x)[:, t].mean(),
    "biased_for_unbiased": lambda x, t: entropy(x, t) * len(t) / (len(t) - 1),
    "rolled": lambda x, t: -chosen(rates(x), (t + 1) % x.shape[1]).mean(),
    "scaled": lambda x, t: entropy(x / 2, t),
}


@pytest.mark.parametrize("name", LOSSES)
def test_cross_entropy(name):
    assert cause_of(entropy, LOSSES[name], LOGITS) == name.strip()


def test_cross_entropy_of_classes_that_are_none_is_not_looked_at():
    cases = [(drawn((3, 5))[0], np.array([0, 9, 1]))]

    assert cause_of(lambda x, t: x.sum(axis=0), lambda x, t: np.sin(x.sum(axis=0)), cases) == ""


# Positions


SIZES = [((5, 8), {}), ((6, 6), {"base": 100.0}), ((7, 4), {})]
SINUSOIDS = {
    "rows_reordered": lambda n, d, **more: np.concatenate(
        [sinusoids(n, d, **more)[:, place::2] for place in (0, 1)], 1
    ),
    "rows_reordered ": lambda n, d, **more: np.roll(sinusoids(n, d, **more).reshape(n, -1, 2), 1, axis=-1).reshape(
        n, d
    ),
    "rolled": lambda n, d, **more: sinusoids(n, d, **more, start=1),
    "power": lambda n, d, **more: sinusoids(n, d, **more, exponent=1.0),
    "sign": lambda n, d, **more: columns_of(-np.sin(angles(n, d, **more)), np.cos(angles(n, d, **more))),
}


@pytest.mark.parametrize("name", SINUSOIDS)
def test_sinusoidal_positions(name):
    assert cause_of(sinusoids, SINUSOIDS[name], SIZES) == name.strip()


TURNED = [(drawn((5, 8)), {}), (drawn((3, 4, 6)), {"base": 50.0})]
ROTATIONS = {
    "sign": {"sign": -1.0},
    "sign ": {"minus": 1.0},
    "rolled": {"start": 1},
    "other_pairs": {"halves": True, "out": joined},
    "rows_reordered": {"out": joined},
    "scaled": {"factor": 2 * np.pi},
}


@pytest.mark.parametrize("name", ROTATIONS)
def test_rotary_positions(name):
    assert cause_of(turned, lambda x, **more: turned(x, **more, **ROTATIONS[name]), TURNED) == name.strip()


def test_rotary_positions_along_another_axis():
    cases = [drawn((3, 4, 6)), drawn((2, 5, 8))]

    assert cause_of(turned, lambda x: turned(x, axis=-3), cases) == "transposed"


def test_rotary_positions_by_halves():
    def right(x):
        return turned(x, halves=True, out=joined)

    assert cause_of(right, lambda x: turned(x), [one for one, _ in TURNED]) == "other_pairs"


# Convolution


SIGNALS = [
    (drawn((2, 3, 9), (4, 3, 3), (4,)), {}),
    (drawn((2, 3, 8), (5, 3, 4), (5,)), {"padding": 1}),
    (drawn((2, 4, 11), (4, 4, 3), (4,)), {"stride": 2, "padding": 1}),
]
CONVOLUTIONS = {
    "kernel_reversed": lambda *given, **more: convolve(*given, **more, flip=True),
    "rolled": lambda *given, **more: convolve(*given, **more, start=1),
    "shifted_by_constant": lambda x, k, b, **more: convolve(x, k, 0 * b, **more),
    "sign": lambda x, k, b, **more: convolve(x, k, -b, **more),
    "sign ": lambda x, k, b, **more: convolve(x, -k, b, **more),
    "rows_reordered": lambda x, k, b, **more: convolve(x, k[:, ::-1], b, **more),
    "mean_for_sum": lambda x, k, b, **more: convolve(x, k / k.shape[-1], b, **more),
    "scaled": lambda x, k, b, **more: convolve(x, k, b * k.shape[-1], **more),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name):
    assert cause_of(convolve, CONVOLUTIONS[name], SIGNALS) == name.strip()


def test_convolution_with_padding_on_one_side():
    def wrong(*given, padding=0, **more):
        return convolve(*given, **more, sides=(2 * padding, 0))

    assert cause_of(convolve, wrong, SIGNALS) == "rolled"


def test_convolution_in_two_dimensions():
    def right(x, kernel):
        windows = np.lib.stride_tricks.sliding_window_view(x, kernel.shape[2:], axis=(2, 3))
        return np.einsum("bcijhw,ochw->boij", windows, kernel)

    cases = [drawn((2, 3, 6, 5), (4, 3, 3, 2)), drawn((1, 2, 5, 5), (2, 2, 2, 2))]

    assert cause_of(right, lambda x, k: right(x, k[..., ::-1, ::-1]), cases) == "kernel_reversed"
    assert cause_of(right, lambda x, k: right(x, k.swapaxes(0, 1)), cases[1:]) == "transposed"


def test_convolution_of_other_channels_is_none():
    cases = [drawn((2, 3, 6), (4, 2, 3))]

    assert cause_of(lambda x, k: x.mean(2), lambda x, k: np.sin(9 * x).mean(2), cases) == ""


# Optimisers


STEPS = [
    ((*drawn((5,), (5,), (5,)), 0.1), {}),
    ((*drawn((3, 4), (3, 4), (3, 4), seed=2), 0.2), {"momentum": 0.5, "weight_decay": 0.3}),
    ((*drawn((6,), (6,), (6,), seed=3), 0.4), {"nesterov": True}),
]
MOMENTUM = {
    "sign": lambda *given, **more: momentum_step(*given, **more, sign=1),
    "scaled": lambda p, g, v, lr, **more: momentum_step(p, g, v, 1.0, **more),
    "scaled ": lambda p, g, v, lr, **more: momentum_step(p, g, v, lr, **more, first=lr),
    "scaled  ": lambda p, g, v, lr, **more: momentum_step(p, g, v, lr, **more, fresh=1 - more.get("momentum", 0.9)),
}


@pytest.mark.parametrize("name", MOMENTUM)
def test_sgd_with_momentum(name):
    assert cause_of(momentum_step, MOMENTUM[name], STEPS) == name.strip()


def test_sgd_with_a_decay_of_the_wrong_sign():
    def wrong(p, g, v, lr, weight_decay=0.0, **more):
        return momentum_step(p, g, v, lr, weight_decay=-weight_decay, **more)

    assert cause_of(momentum_step, wrong, STEPS) == "sign"


ADAM = [(moments(5, 3, 1), {"lr": 0.1}), (moments(6, 9, 2), {"lr": 0.3, "eps": 0.1}), (moments(4, 2, 3), {"lr": 0.2})]


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"sign": 1}, "sign"),
        ({"corrected": (False, False)}, "scaled"),
        ({"corrected": (True, False)}, "scaled"),
        ({"root": 1}, "power"),
        ({"square": 1}, "power"),
        ({"by": 1}, "scaled"),
    ],
)
def test_adam(more, cause):
    assert cause_of(adam_step, lambda *given, **options: adam_step(*given, **options, **more), ADAM) == cause


def test_adam_without_eps():
    def wrong(*given, eps=0.0, **more):
        return adam_step(*given, **more, eps=0.0)

    rest = [(np.ones(3, dtype=np.float32), *[np.zeros(3, dtype=np.float32)] * 3, 1), {}]

    assert cause_of(adam_step, wrong, [*ADAM, tuple(rest)]) == "eps_missing"


def test_adam_counted_from_zero():
    first = (*drawn((5,), (5,)), *[np.zeros(5, dtype=np.float32)] * 2, 1)

    assert (
        cause_of(adam_step, lambda *given, **more: adam_step(*given, **more, by=-1), [*ADAM, (first, {})]) == "scaled"
    )


# A gated unit


UNITS = [unit(1, 4, 7, 3), unit(2, 5, 5, 2, 4)]


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"residual": 0.0}, "residual_missing"),
        ({"residual": -1.0}, "sign"),
        ({"sign": -1.0}, "sign"),
        ({"bias": 0.0}, "shifted_by_constant"),
        ({"swap": True}, "roles_swapped"),
    ],
)
def test_gated_unit(more, cause):
    assert cause_of(gated, lambda x, state: gated(x, state=state, **more), UNITS) == cause


def test_gated_unit_with_a_matrix_transposed():
    square = [unit(3, 5, 5, 6), unit(4, 4, 4, 2, 3)]

    assert cause_of(gated, lambda x, state: gated(x, state=state, turn=True), square) == "transposed"


def test_gated_unit_without_residual_and_bias():
    def right(x, *, state):
        return gated(x, state=state | {"bias": 0.0}, residual=0.0)

    cases = [(x, {}, {name: state[name] for name in ("gate", "up", "down")}) for x, _, state in UNITS]

    assert cause_of(right, lambda x, state: -right(x, state=state), cases) == "sign"
