"""No diagnosis costs much more memory than the values that it looks at, whatever products these have."""

import tracemalloc

import numpy as np
import pytest

from graders.cases import Inputs
from graders.comparisons import Comparison
from graders.hypotheses.observations import observe
from graders.hypotheses.ranking import MODELS, evidence
from tests.graders.hypotheses.computations import chosen, rates
from tests.graders.hypotheses.diagnosed import cause_of, generator, value_of

MEGABYTE = 2**20
MOST_BYTES = 40 * MEGABYTE


def drawn(*shapes):
    return [generator(1).normal(size=shape).astype(np.float32) for shape in shapes]


# Arguments whose products are far larger than they are; and a state.
WIDE = {
    "scores of long rows": (drawn((1, 16000, 1), (1, 16000, 1), (1, 16000, 1)), {}),
    "one key of wide values": (drawn((16000, 1), (1, 1), (1, 16000)), {}),
    "scores of many heads": ([*drawn((1, 3000, 8), (8, 8), (8, 8), (8, 8), (8, 8)), 8], {}),
    "many hidden units": (drawn((10000, 1)), dict(zip("abc", drawn((8000, 1), (8000, 1), (1, 8000)), strict=True))),
    "much padding": ([*drawn((2, 3, 9), (4, 3, 3), (4,)), 1, 10**8], {}),
    "many kernels": (drawn((1, 1, 20000), (20000, 1, 1), (20000,)), {}),
    "a long table": ([4096, 4096], {}),
    "a wide table": ([2, 10**12], {}),
    "turned far": (drawn((8000, 6)), {"base": 2.0}),
}


def peak_of_looking(actual, expected, arguments, state):
    """Bytes that are taken at once to look for causes in one case."""
    inputs = Inputs(args=tuple(map(value_of, arguments)), state=value_of(state))
    seen = observe(value_of(actual), value_of(expected), Comparison(), inputs=inputs)
    tracemalloc.start()
    with np.errstate(all="ignore"):
        evidence([seen])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("name", WIDE)
def test_products_that_are_too_large_are_not_worked_out(name):
    expected = np.sin(np.arange(40.0))

    assert peak_of_looking(np.cos(expected), expected, *WIDE[name]) < MOST_BYTES


def test_losses_of_all_pairs_take_no_more_than_the_logits():
    (logits,) = drawn((15000, 2))
    target = np.zeros(15000, dtype=np.int64)
    expected = -chosen(rates(logits), target)

    assert peak_of_looking(expected * 1.5 + 1, expected, [logits, target], {}) < MOST_BYTES


BEYOND = {
    "10^400": 10**400,
    "-10^400": -(10**400),
    "2^1024": 2**1024,
    "2^64": 2**64,
    "inf": float("inf"),
    "-inf": -float("inf"),
    "nan": float("nan"),
}


@pytest.mark.parametrize("name", BEYOND)
def test_arguments_beyond_all_floats_are_in_nobodys_way(name):
    number = BEYOND[name]
    arrays = drawn((3, 8), (5, 6))
    right = [(array, 2, number) for array in arrays]
    by_name = [((array, 2), {"filling": number}) for array in arrays]

    def swapped(x, heads, filling):
        return np.concatenate(np.split(x**2 + x, heads, axis=-1)[::-1], axis=-1)

    for cases in (right, by_name):
        assert cause_of(lambda x, heads, filling: x**2 + x, lambda x, *_, **__: 8 * (x**2 + x), cases) == "scaled"
        assert cause_of(lambda x, heads, filling: x**2 + x, swapped, cases) == "heads_reordered"


def test_every_model_that_multiplies_is_tried():
    assert {model.__name__ for model in MODELS} - {"softmaxes", "norms", "momentum_steps", "adam_steps"} == {
        "attentions",
        "multi_heads",
        "gates",
        "losses",
        "convolutions",
        "sinusoids",
        "rotations",
    }
