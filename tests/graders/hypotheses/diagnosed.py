"""A wrong function beside a right one, both of numpy arrays: what the diagnosis makes of what they give."""

import numpy as np

from graders.cases import Case, Inputs, Key, Raised, Returned
from graders.comparisons import Comparison
from graders.hypotheses.observations import observe
from graders.judging import judge_submission
from tests.graders.values import tensor


def generator(seed=0):
    return np.random.default_rng(seed)


def value_of(output):
    """An output of numpy as a value of the graders: arrays become tensors of float32, or of the dtype they have."""
    if isinstance(output, np.ndarray | np.number):
        return tensor(output, {"f": "float32", "c": "complex64"}.get(output.dtype.kind, str(output.dtype)))
    if isinstance(output, tuple | list):
        return type(output)(value_of(item) for item in output)
    if isinstance(output, dict):
        return {name: value_of(item) for name, item in output.items()}
    return output


def make_case(index, right, arguments, *, visible=True, options=None, state=None):
    options, state = options or {}, state or {}
    expected = right(*arguments, **options, **({"state": state} if state else {}))
    inputs = Inputs(
        args=tuple(value_of(argument) for argument in arguments), kwargs=value_of(options), state=value_of(state)
    )
    return Case(name=f"case {index}", visible=visible, index=index, expected=value_of(expected), inputs=inputs)


def given_by(wrong, arguments, options=None, state=None):
    state = {"state": state} if state else {}
    try:
        return Returned(value=value_of(wrong(*arguments, **(options or {}), **state)))
    except (ValueError, IndexError) as error:
        return Raised(type=type(error).__name__, message=str(error))


def judged(right, wrong, cases, *, visible=None):
    """The outcome of `wrong`; `cases` are tuples of arguments, or of arguments, options and state."""
    entries = [case if isinstance(case[0], tuple) else (case,) for case in cases]
    made = [
        make_case(index, right, arguments, visible=visible is None or index < visible, **_more(more))
        for index, (arguments, *more) in enumerate(entries)
    ]
    with np.errstate(all="ignore"):
        given = [given_by(wrong, *entry) for entry in entries]
    return judge_submission(Key(cases=tuple(made), comparison=Comparison(rtol=1e-4, atol=1e-5)), given)


def cause_of(right, wrong, cases, *, visible=None):
    """The cause that is named first, "" for none."""
    outcome = judged(right, wrong, cases, visible=visible)
    return next((case.feedback.cause for case in outcome.cases if case.feedback.cause), "")


def hint_of(right, wrong, cases):
    return judged(right, wrong, cases).feedback.hint


def observation(actual, expected, *arguments, **fields):
    """One case as hypotheses see it."""
    inputs = Inputs(args=tuple(value_of(argument) for argument in arguments), **fields)
    return observe(value_of(actual), value_of(expected), Comparison(), inputs=inputs)


def _more(more):
    return dict(zip(("options", "state"), more, strict=False))
