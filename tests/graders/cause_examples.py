"""Examples of `docs/grading.md` on likely causes: a computation, its inputs, and what is given in its place."""

import numpy as np

from tests.graders.hypotheses import computations
from tests.graders.hypotheses.diagnosed import judged

NAMES = {
    **{
        name: getattr(np, name) for name in ("sin", "exp", "log", "log2", "round", "roll", "stack", "arange", "float16")
    },
    **{name: value for name, value in vars(computations).items() if callable(value)},
    "int64": np.int64,
}


def cause(declared, line):
    """What is told of the first wrong case: its cause and where to look."""
    text = line.removeprefix("hidden: ")
    arguments = _arguments(declared)
    right, wrong = (_function(expression, declared) for expression in (declared["right"], text))
    visible = declared.get("visible", None if text == line else 0)
    outcome = judged(right, wrong, arguments, visible=visible)
    told = next((case.feedback for case in outcome.cases if case.feedback.cause), outcome.feedback)
    return f"{told.cause or 'no cause'}: {told.hint}"


def _arguments(declared):
    """Arguments, options and state of each case: a shape stands for random numbers, a text for what it gives."""
    cases = list(zip(*declared["given"].values(), strict=True))
    states = [eval(text, {}, NAMES) for text in declared.get("state", [])] or [{}] * len(cases)
    return [
        (tuple(_drawn(number, place, value) for place, value in enumerate(case)), {}, states[number])
        for number, case in enumerate(cases)
    ]


def _drawn(number, place, value):
    if isinstance(value, str):
        return eval(value, {}, NAMES)
    if isinstance(value, list):
        return computations.drawn(tuple(value), seed=10 * number + place)[0]
    return value


def _function(expression, declared):
    names = list(declared["given"])
    code = compile(expression, "example", "eval")

    def run(*arguments, state=None):
        known = {**NAMES, **dict(zip(names, arguments, strict=True)), "state": state}
        if expression != declared["right"]:
            known["right"] = _function(declared["right"], declared)(*arguments, state=state)
        return eval(code, known)

    return run
