"""A submission with a case for every kind of picture, judged by the graders."""

from dataclasses import replace
from decimal import Decimal

import numpy as np

from exercises.services import store_case_set, submit
from exercises.services.outcomes import write_outcome
from graders.cases import Case, Key, Returned
from graders.comparisons import Comparison
from graders.judging import judge_submission
from graders.tensors import Array
from tests.browser.demo import FACTS, with_actual
from tests.factories import make_exercise
from worker.values import border_value, shown

STARTER = '''import torch


def attention(query, key, value):
    """query: (..., n, d)   key: (..., m, d)   value: (..., m, v)   returns: (..., n, v)"""
    raise NotImplementedError
'''
SOURCE = "def attention(query, key, value):\n    return query\n"


def make_gallery(student, course):
    """The student's submission; its cases by name are those of `pairs`."""
    exercise = make_exercise(course, files={"starter.py": STARTER}, definition={"entry": "attention"})
    cases = [_case(index, name, expected) for index, (name, expected, _actual) in enumerate(pairs())]
    visible = [
        {"name": case.name, "args": _inputs(case.name), "kwargs": {}, "expected": shown(border_value(case.expected))}
        for case in cases
    ]
    store_case_set(exercise.published, blob=b"", visible=visible)
    submission = submit(student, exercise, source=SOURCE)
    key = Key(cases=tuple(cases), comparison=Comparison.from_definition({}))
    given = [Returned(value=actual) for _name, _expected, actual in pairs()]
    outcome = judge_submission(key, given)
    cases = tuple(map(with_actual, outcome.cases, given))
    write_outcome(submission.grading, replace(outcome, cases=cases), facts=FACTS, printed="scores: (3, 3)\n")
    return submission


def pairs():
    """Name, expected, got."""
    generator = np.random.default_rng(3)
    query, key, value = (generator.normal(size=size) for size in ((4, 6), (5, 6), (5, 3)))
    right = softmax(query @ key.T / np.sqrt(6)) @ value
    rows = right.copy()
    rows[2] += (0.5, -1.25, 0.02)
    broken = right.copy()
    broken[1, 2], broken[3, 0] = np.nan, np.inf
    mask = np.tril(np.ones((6, 6), dtype=bool))
    batch = generator.normal(size=(2, 3, 4, 3))
    moved = batch.copy()
    moved[1, 2, 0] *= -1
    large = generator.normal(size=(40, 48))
    return [
        ("no scaling", _array(right), _array(softmax(query @ key.T) @ value)),
        ("wrong axis", _array(right), _array(softmax(query @ key.T / np.sqrt(6), axis=0) @ value)),
        ("one row differs", _array(right), _array(rows)),
        ("NaN", _array(right), _array(broken)),
        ("wrong shape", _array(right), _array(right.T)),
        ("bool mask", _array(mask), _array(np.triu(mask))),
        ("batch and heads", _array(batch), _array(moved)),
        ("vector", _array(right[:, 0]), _array(right[:, 0] * [1, 1, -1, 2])),
        ("one number", _array(np.array(0.125)), _array(np.array(0.5))),
        ("32 by 32", _array(large[:32, :32]), _array(large[:32, :32] * 1.5)),
        ("larger than shown", _array(large), _array(large + np.eye(40, 48))),
        (
            "two outputs",
            {"mean": _array(right.mean(0)), "all": _array(right)},
            {"mean": _array(rows.mean(0)), "all": _array(right)},
        ),
        ("text", "left", "right"),
    ]


def softmax(scores, axis=-1):
    weights = np.exp(scores - scores.max(axis, keepdims=True))
    return weights / weights.sum(axis, keepdims=True)


def _array(values):
    if values.dtype == bool:
        return Array(dtype="bool", values=values)
    return Array(dtype="float32", values=np.asarray(values, dtype=np.float32))


def _case(index, name, expected):
    return Case(name=name, visible=True, index=index, expected=expected, mistakes={}, points=Decimal(1))


def _inputs(name):
    generator = np.random.default_rng(4)
    sizes = ((2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 3)) if name == "batch and heads" else ((4, 6), (5, 6), (5, 3))
    sizes = ((1, 64), (16,), ()) if name == "vector" else sizes
    return [shown(border_value(_array(generator.normal(size=size)))) for size in sizes]
