"""Seconds that the worker takes to compare, and to diagnose, what an attention submission with eight cases gave.

From the runner's report to the outcome as it is stored: the run itself is left out. `accepted_seconds` and
`failed_seconds` are for `make bench`; by itself `python -m tests.bench.diagnosing` prints both.
"""

import json
import statistics
import sys
import time
from decimal import Decimal

import numpy as np

from exercises.blobs import pack
from tests.worker.stub_runner import StubRunner, report_of
from worker.cases import Case, MistakeOutput
from worker.grading import grade_code, prepare
from worker.sandbox.job import Call, TensorBytes

ROUNDS = 40
EXERCISE = {
    "kind": "code",
    "entry": "attention",
    "compare": {},
    "limits": {"cpu_seconds": 4, "memory_mb": 512, "tasks": 64},
    "mistakes": {slug: {"title": slug, "feedback": ""} for slug in "ab"},
}
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
    made, outputs = _prepared(), [expected for _, expected in _cases()]
    return [_judged_seconds(made, outputs, cause="") for _ in range(rounds)]


def failed_seconds(rounds=ROUNDS):
    """One number for each round: every case wrong, by turns with a cause and without one (the slower of the two)."""
    made = _prepared()
    wrong = {
        "scaled": [_attention(*arrays, scale=1.0) for arrays, _ in _cases()],
        "": [expected + _noise(expected.shape) for _, expected in _cases()],
    }
    return [max(_judged_seconds(made, outputs, cause=cause) for cause, outputs in wrong.items()) for _ in range(rounds)]


def _judged_seconds(made, outputs, *, cause):
    runner = StubRunner(report_of(*map(_tensor, outputs)))
    request = made.request("bench", EXERCISE, "")
    # Of this thread alone: nothing here waits, and others may be at work.
    started = time.thread_time()
    outcome, _ = grade_code(runner, request, made.key, list)
    pack({**outcome.to_json(), "hidden_case": outcome.hidden_case})
    seconds = time.thread_time() - started
    assert outcome.feedback.cause == cause
    return seconds


def _prepared():
    cases = [
        Case(
            index=number,
            points=Decimal(1),
            call=Call(name=f"case {number}", visible=number < 3, args=tuple(map(_tensor, arrays))),
            expected=_tensor(expected),
            mistakes={
                slug: MistakeOutput(value=_tensor(factor * expected)) for slug, factor in (("a", 2.0), ("b", 3.0))
            },
        )
        for number, (arrays, expected) in enumerate(_cases())
    ]
    return prepare({"exercise": EXERCISE, "files": {}}, cases)


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
    return TensorBytes(dtype="float32", shape=values.shape, data=values.astype("<f4").tobytes())


def main():
    measured = {"accepted": accepted_seconds(), "failed": failed_seconds()}
    sys.stdout.write(json.dumps({name: statistics.median(times) for name, times in measured.items()}) + "\n")


if __name__ == "__main__":
    main()
