import math

import pytest

from graders.cases import Case, Inputs, Key, Mistake, Raised, Returned
from graders.comparisons import Comparison
from graders.demands import RaisedGradient, WrongGradient, same_demands, unmet_demand
from graders.judging import judge_case, judge_submission
from graders.outcomes import Stage, Verdict
from tests.graders.values import tensor

X, Y = tensor([1.0, 2.0]), tensor([3.0, 4.0])
GIVEN = Inputs(args=(X,), kwargs={"y": Y})
BOOM = Raised(type="ValueError", message="no way back")


def case_of(*, visible=True, **fields):
    return Case(name="a", visible=visible, index=0, expected=X, inputs=GIVEN, parameters=("x", "y"), **fields)


UNCHANGED = case_of(inputs_unchanged=True)
DIFFERENTIABLE = case_of(gradients={"x": X, "unused": None})


def after(*args, **kwargs):
    return Returned(value=X, after=Inputs(args=args, kwargs=kwargs))


def with_gradients(gradients):
    return Returned(value=X, gradients=gradients)


def judged(case, given):
    return judge_case(case, given, Comparison())


def test_arguments_as_they_were_are_accepted():
    assert judged(UNCHANGED, after(X, y=Y)).verdict is Verdict.ACCEPTED
    assert judged(case_of(), after(Y, y=Y)).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (after(tensor([1.0, 2.0000002]), y=Y), "x"),
        (after(X, y=tensor([3.0, 4.0], "float64")), "y"),
        (after(X), "y"),
        (after(), "x"),
        (Returned(value=X), "x"),
    ],
)
def test_changed_argument_is_named(given, name):
    outcome = judged(UNCHANGED, given)

    assert (outcome.verdict, outcome.points) == (Verdict.WRONG_ANSWER, 0)
    assert (outcome.feedback.stage, outcome.feedback.cause) == (Stage.RULES, "mutated_input")
    assert f"its argument `{name}`" in outcome.feedback.summary
    assert outcome.feedback.details["argument"] == name


def test_argument_without_a_name_is_told_by_its_place():
    case = Case(name="a", visible=True, index=0, expected=X, inputs=Inputs(args=(X, Y)), inputs_unchanged=True)

    assert "`argument 2`" in judged(case, after(X, X)).feedback.summary


def test_nan_in_an_argument_is_no_change():
    nan = tensor([math.nan])
    case = Case(name="a", visible=True, index=0, expected=X, inputs=Inputs(args=(nan,)), inputs_unchanged=True)

    assert judged(case, after(tensor([math.nan]))).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    "gradients",
    [
        {"x": X, "unused": None},
        {"x": tensor([1.0001, 2.0001]), "unused": tensor([0.0, 0.0])},
    ],
)
def test_gradients_within_ten_tolerances_are_accepted(gradients):
    assert judged(DIFFERENTIABLE, with_gradients(gradients)).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    "gradients",
    [
        {"x": tensor([1.0, 2.0003])},
        {"x": tensor([-1.0, -2.0])},
        {"x": tensor([[1.0, 2.0]])},
        {"x": tensor([1.0, math.nan])},
        {"x": X, "unused": X},
    ],
)
def test_gradient_that_differs_is_told(gradients):
    outcome = judged(DIFFERENTIABLE, with_gradients(gradients))

    assert (outcome.verdict, outcome.feedback.stage) == (Verdict.WRONG_ANSWER, Stage.GRADIENTS)
    assert "`x` is not right" in outcome.feedback.summary or "`unused` is not right" in outcome.feedback.summary


@pytest.mark.parametrize("gradients", [None, {}, {"x": None}])
def test_missing_gradient_is_a_cut(gradients):
    outcome = judged(DIFFERENTIABLE, with_gradients(gradients))

    assert (outcome.verdict, outcome.feedback.cause) == (Verdict.WRONG_ANSWER, "detached")
    assert "`x` is cut" in outcome.feedback.summary


def test_zeros_and_no_gradient_are_the_same_also_in_lists():
    case = case_of(gradients={"x": [None, tensor([0.0])]})

    assert judged(case, with_gradients({"x": [tensor([0.0]), None]})).verdict is Verdict.ACCEPTED
    assert judged(case, with_gradients({"x": None})).verdict is Verdict.ACCEPTED
    assert judged(case, with_gradients({"x": "text"})).verdict is Verdict.WRONG_ANSWER


def test_exception_on_the_way_to_gradients_is_told():
    outcome = judged(DIFFERENTIABLE, with_gradients(BOOM))

    assert (outcome.verdict, outcome.feedback.stage) == (Verdict.RUNTIME_ERROR, Stage.EXCEPTION)
    assert outcome.feedback.details["type"] == "ValueError"
    assert "raises ValueError: no way back" in outcome.feedback.summary


def test_wrong_value_comes_first():
    given = Returned(value=Y, after=Inputs(args=(Y,)), gradients={})

    assert judged(case_of(inputs_unchanged=True, gradients={"x": X}), given).feedback.stage == Stage.VALUES


def test_hidden_case_tells_the_kind_alone():
    changed = judged(case_of(visible=False, inputs_unchanged=True), after(Y, y=Y)).feedback
    cut = judged(case_of(visible=False, gradients={"secret": X}), with_gradients({})).feedback

    assert (changed.summary, changed.details) == ("In a hidden case, the call changes one of its arguments.", None)
    assert (cut.summary, cut.details) == ("In a hidden case, the value is right and a gradient is not.", None)


def test_hidden_exception_tells_neither_name_nor_text():
    told = judged(case_of(visible=False, gradients={"x": X}), with_gradients(BOOM)).feedback

    assert told.stage == Stage.GRADIENTS
    assert "no way back" not in told.summary + told.hint
    assert told.details is None


def test_mistake_is_known_by_what_it_does_beside_values():
    mistakes = {"in-place": after(Y, y=Y), "right": after(X, y=Y)}
    case = case_of(inputs_unchanged=True, mistakes=mistakes)
    listed = tuple(Mistake(slug=slug, title=slug, feedback=slug) for slug in mistakes)
    key = Key(cases=(case,), comparison=Comparison(), mistakes=listed)

    assert judge_submission(key, [after(Y, y=Y)]).feedback.cause == "in-place"
    assert judge_submission(key, [after(X, y=Y)]).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"x": X}, {"x": X}, True),
        ({"x": X}, {"x": Y}, False),
        (BOOM, BOOM, True),
        (BOOM, Raised(type="TypeError"), False),
        (BOOM, {"x": X}, False),
        (None, None, True),
    ],
)
def test_same_demands(one, other, same):
    assert same_demands(DIFFERENTIABLE, with_gradients(one), with_gradients(other), Comparison()) is same
    assert same_demands(case_of(), with_gradients(one), with_gradients(other), Comparison())


def test_same_change_of_arguments():
    assert same_demands(UNCHANGED, after(Y, y=Y), after(Y, y=Y), Comparison())
    assert not same_demands(UNCHANGED, after(X, y=Y), after(Y, y=Y), Comparison())


def test_unmet_demand_is_a_value():
    assert unmet_demand(DIFFERENTIABLE, with_gradients(BOOM), Comparison()) == RaisedGradient(raised=BOOM)
    assert unmet_demand(DIFFERENTIABLE, with_gradients({}), Comparison()) == WrongGradient(name="x")
