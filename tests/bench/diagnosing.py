"""Seconds to compare, and to diagnose, what an attention submission with eight cases gave: from bytes to the outcome.

`accepted_seconds` and `failed_seconds` are for `make bench`; by itself `python -m tests.bench.diagnosing` prints both.
"""

import json
import statistics
import sys
import time
from decimal import Decimal

import numpy as np

from graders.arrays import from_bytes
from graders.cases import Case, Inputs, Key, Mistake, Returned
from graders.comparisons import Comparison
from graders.judging import judge_submission

ROUNDS = 40
SHAPES = (
    (4, 6, 8, 3),
    (3, 5, 64, 7),
    (4, 4, 4, 4),
    (1, 7, 16, 5),
    (6, 6, 10, 4),
    (5, 7, 9, 6),
    (16, 16, 32, 32),
    (32, 48, 64, 64),
)


def accepted_seconds(rounds=ROUNDS):
    """One number for each round: all cases right."""
    key, outputs = _key(), [expected for _, expected in _cases()]
    return [_judged_seconds(key, outputs) for _ in range(rounds)]


def failed_seconds(rounds=ROUNDS):
    """One number for each round: every case wrong, by turns with a cause and without one (the slower of the two)."""
    key = _key()
    unscaled = [_attention(*arrays, scale=1.0) for arrays, _ in _cases()]
    unexplained = [expected + _noise(expected.shape) for _, expected in _cases()]
    return [max(_judged_seconds(key, outputs) for outputs in (unscaled, unexplained)) for _ in range(rounds)]


def _judged_seconds(key, outputs):
    received = [(output.shape, output.astype("<f4").tobytes()) for output in outputs]
    started = time.perf_counter()
    judge_submission(key, [Returned(value=from_bytes("float32", *one)) for one in received])
    return time.perf_counter() - started


def _key():
    cases = tuple(
        Case(
            name=f"case {number}",
            visible=number < 3,
            index=number,
            points=Decimal(1),
            expected=_tensor(expected),
            mistakes={slug: Returned(value=_tensor(factor * expected)) for slug, factor in (("a", 2.0), ("b", 3.0))},
            inputs=Inputs(args=tuple(_tensor(array) for array in arrays)),
        )
        for number, (arrays, expected) in enumerate(_cases())
    )
    mistakes = tuple(Mistake(slug=slug, title=slug, feedback="") for slug in "ab")
    return Key(cases=cases, comparison=Comparison(), mistakes=mistakes)


def _cases():
    generator = np.random.default_rng(1)
    for queries, keys, width, values in SHAPES:
        arrays = [generator.normal(size=shape) for shape in ((queries, width), (keys, width), (keys, values))]
        yield arrays, _attention(*arrays, scale=width**-0.5)


def _attention(query, key, value, *, scale):
    scores = np.exp(scale * query @ key.T)
    return (scores / scores.sum(axis=-1, keepdims=True)) @ value


def _noise(shape):
    return np.random.default_rng(2).normal(size=shape)


def _tensor(values):
    return from_bytes("float32", values.shape, values.astype("<f4").tobytes())


def main():
    measured = {"accepted": accepted_seconds(), "failed": failed_seconds()}
    sys.stdout.write(json.dumps({name: statistics.median(times) for name, times in measured.items()}) + "\n")


if __name__ == "__main__":
    main()
