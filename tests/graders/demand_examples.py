"""Examples of `docs/grading.md` on what is asked for beside values."""

import numpy as np

from graders.cases import Case, Inputs, Returned
from graders.comparisons import Comparison
from graders.feedback_on_demands import of_breaches
from graders.feedback_on_properties import name_of, of_violation
from graders.judging import judge_case
from graders.metrics import Training
from graders.outcomes import Verdict
from graders.properties import parse_property
from graders.property_calls import further_calls
from graders.property_checks import violation
from graders.rules import breaches
from tests.graders.values import NAMES, tensor
from worker.sandbox.job import Forbidden
from worker.sandbox.survey import survey_source

VALUE = tensor([1.0])
X = tensor([[0.0, 1.0, 3.0], [2.0, 1.0, 1.0]])
FUNCTIONS = {
    **{name: getattr(np, name) for name in ("exp", "cumsum", "roll", "maximum")},
    "softmax": lambda x: np.exp(x) / np.exp(x).sum(-1, keepdims=True),
}


def demand(declared, line):
    """What a call with a right value gets for its arguments afterwards, or for its gradient."""
    text = line.removeprefix("hidden: ")
    run = _afterwards if text.startswith("x = ") else _gradient
    case, given = run(declared, text, visible=text == line)
    outcome = judge_case(case, given, Comparison())
    if outcome.verdict == Verdict.ACCEPTED:
        return outcome.verdict
    cause = f" ({outcome.feedback.cause})" if outcome.feedback.cause else ""
    return f"{outcome.verdict}{cause}: {outcome.feedback.summary}"


def rule(declared, line):
    """What a source gets that is looked through for what is forbidden, or a call that came down to an operator."""
    operator = line.removeprefix("dispatched: ")
    operators = [operator] if operator != line else []
    forbidden = Forbidden(names=tuple(declared["forbid"]["names"]), loops=declared["forbid"]["loops"])
    findings = [] if operators else survey_source(line, forbidden)
    broken = breaches(declared["forbid"], findings, operators)
    return f"wrong_answer (forbidden): {of_breaches(broken).summary}" if broken else Verdict.ACCEPTED


def has(_declared, line):
    """Whether a function of the page's `x` has a property."""
    expression, text = line.split(" has ")
    asked, inputs = parse_property(text), Inputs(args=(X,))
    calls = further_calls(asked, inputs, ("x",))
    names = {**FUNCTIONS, "noise": np.random.default_rng(0).normal}
    value = _value_of(expression, X, names)
    further = [_value_of(expression, value if call.fed is not None else call.inputs.args[0], names) for call in calls]
    found = violation(asked, [value, *further], calls=calls, comparison=Comparison())
    if found is None:
        return f"{Verdict.ACCEPTED}: {name_of(asked)}"
    return f"wrong_answer: {name_of(asked)}. {of_violation(asked, found, case='an example', visible=True).summary}"


def trained(declared, line):
    """What predictions get for targets."""
    text = line.removeprefix("hidden: ")
    steps, _, rest = text.rpartition(" steps: ")
    predictions, targets = (eval(side, {}, NAMES) for side in rest.split(" for "))
    training = Training.from_definition(declared["training"])
    case = _case(text == line, training=training, targets=targets)
    outcome = judge_case(case, Returned(value=predictions, steps=int(steps or 0)), Comparison())
    return f"{outcome.verdict}: {outcome.feedback.summary}"


def _value_of(expression, x, names):
    with np.errstate(all="ignore"):
        return tensor(eval(expression, {}, {**names, "x": x.values}))


def _afterwards(declared, text, *, visible):
    before, after = (eval(side, {}, NAMES) for side in text.removeprefix("x = ").split(", afterwards "))
    given = Returned(value=VALUE, after=Inputs(args=(after,)))
    return _case(visible, inputs=Inputs(args=(before,)), parameters=("x",), **declared), given


def _gradient(declared, text, *, visible):
    actual, expected = (eval(side, {}, NAMES) for side in text.removeprefix("gradient ").split(" for "))
    (name,) = declared["gradients"]
    return _case(visible, gradients={name: expected}), Returned(value=VALUE, gradients={name: actual})


def _case(visible, **fields):
    return Case(name="an example", visible=visible, index=0, expected=VALUE, **fields)
