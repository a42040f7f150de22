"""Each property is met by what has it, and not by a near miss."""

import math
import tracemalloc

import numpy as np
import pytest

from graders.arrays import Unsupported
from graders.cases import Inputs
from graders.comparisons import Comparison
from graders.errors import DefinitionError
from graders.feedback_on_properties import name_of
from graders.outcomes import Stage
from graders.properties import WORDS, form_of, parse_property
from graders.property_calls import further_calls, permutation
from graders.property_checks import violation
from tests.graders.values import tensor

X = tensor(np.arange(12.0).reshape(4, 3) / 7 - 0.5)
PARAMETERS = ("x", "y")


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def holds(text, function, *args, **kwargs):
    """Whether a function of arrays has the property at these arguments; None where nothing is told."""
    asked, inputs = parse_property(text), Inputs(args=args or (X,), kwargs=kwargs)
    calls = further_calls(asked, inputs, PARAMETERS)
    value = _call(function, inputs)
    outputs = [_call(function, _fed(call, value)) for call in calls]
    return violation(asked, [value, *outputs], calls=calls, comparison=Comparison()) is None


def _fed(call, value):
    return call.inputs if call.fed is None else Inputs(args=(value, *call.inputs.args[1:]))


def _call(function, inputs):
    found = function(
        *(value.values for value in inputs.args), **{name: value.values for name, value in inputs.kwargs.items()}
    )
    return tensor(found) if isinstance(found, np.ndarray) else found


# The property, a function that has it, one that nearly has it.
PAIRS = {
    "sums_to(output, 1, dim=-1)": (softmax, lambda x: softmax(x) * 1.001),
    "bounded(output, 0, 1)": (softmax, lambda x: softmax(x) * 3),
    "non_negative(output)": (np.abs, lambda x: np.abs(x) - 0.1),
    "finite(output)": (np.exp, lambda x: np.where(x > 1, math.inf, x)),
    "symmetric(output)": (lambda x: x @ x.T, lambda x: x[:3] + 0),
    "orthonormal(output, dim=-1)": (lambda x: np.eye(3)[:2], lambda x: np.eye(3)[:2] * 1.01),
    "orthonormal(output, dim=-2)": (lambda x: np.eye(3)[:, :2], lambda x: np.eye(3)[:2]),
    "unit_norm(output, dim=-1)": (lambda x: x / np.sqrt((x * x).sum(-1, keepdims=True)), lambda x: x),
    "monotone(output, dim=-1)": (lambda x: np.sort(x, -1), lambda x: x[:, [0, 2, 1]]),
    "causal(x, dim=0)": (lambda x: np.cumsum(x, 0), lambda x: np.cumsum(x, 0) + np.roll(x, -1, 0)),
    "equivariant(x, dim=-2)": (softmax, lambda x: x * np.arange(4)[:, None]),
    "invariant(x, dim=0)": (lambda x: x.sum(0), lambda x: x[0]),
    "shift_invariant(x)": (softmax, lambda x: softmax(x * x)),
    "homogeneous(x, degree=2)": (lambda x: x * x, lambda x: x * x + 0.01),
    "odd(x)": (lambda x: x**3, lambda x: x**3 + 0.01),
    "even(x)": (lambda x: x**2, lambda x: x**2 + 0.01 * x),
    "idempotent(x)": (lambda x: np.maximum(x, 0), lambda x: np.maximum(x, 0) * 0.999),
}


@pytest.mark.parametrize("text", PAIRS)
def test_property_is_told_from_a_near_miss(text):
    right, wrong = PAIRS[text]

    assert holds(text, right)
    assert not holds(text, wrong)


def test_deterministic():
    state = np.random.default_rng(0)

    assert holds("deterministic(output)", np.exp)
    assert not holds("deterministic(output)", lambda x: x + state.normal(size=x.shape))


def test_every_word_is_tried():
    assert {text.partition("(")[0] for text in PAIRS} | {"deterministic"} == set(WORDS)


def test_equivariance_is_not_invariance():
    assert not holds("invariant(x, dim=-2)", np.exp)
    assert not holds("equivariant(x, dim=0)", lambda x: np.tile(x.sum(0), (4, 1)) * np.arange(4)[:, None])


def test_several_arguments_are_changed_alike():
    def summed(x, y):
        return (x * y).sum(0)

    assert holds("invariant(x, y, dim=0)", summed, X, X)
    assert not holds("invariant(x, dim=0)", summed, X, X)
    assert holds("invariant(x, y, dim=0)", summed, X, y=X)


def test_integers_stay_names_of_something():
    table = np.arange(10.0)
    words = tensor([3, 1, 4, 1], "int64")

    (one, two) = further_calls(parse_property("causal(x, dim=0)"), Inputs(args=(words,)), PARAMETERS)

    assert [call.at for call in (one, two)] == [1, 2]
    assert one.inputs.args[0].values.tolist() == [3, 3, 3, 3]
    assert one.inputs.args[0].values.dtype == np.int64
    assert holds("causal(x, dim=0)", lambda x: np.cumsum(table[x]), words)


@pytest.mark.parametrize("text", ["invariant(z, dim=0)", "invariant(x, dim=5)", "invariant(y, dim=0)", "odd(y)"])
def test_argument_that_is_not_there_tells_nothing(text):
    assert further_calls(parse_property(text), Inputs(args=(X,)), PARAMETERS) == ()
    assert holds(text, lambda x: x)


def test_argument_that_is_no_tensor_or_alone_tells_nothing():
    asked = parse_property("invariant(x, dim=0)")

    assert further_calls(asked, Inputs(args=(3,)), PARAMETERS) == ()
    assert further_calls(asked, Inputs(args=(tensor([1.0]),)), PARAMETERS) == ()
    assert further_calls(parse_property("invariant(x, y, dim=0)"), Inputs(args=(X, tensor([1.0]))), PARAMETERS) == ()


@pytest.mark.parametrize("length", range(2, 30))
def test_permutation_changes_the_order(length):
    order = permutation(length).tolist()

    assert order != list(range(length))
    assert sorted(order) == list(range(length))


def unfit(text, value, *outputs):
    asked, inputs = parse_property(text), Inputs(args=(X,))
    calls = further_calls(asked, inputs, PARAMETERS)
    found = violation(asked, [value, *(outputs or [value] * len(calls))], calls=calls, comparison=Comparison())
    return found.unfit if found else None


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("sums_to(output, 1, dim=3)", X, "The output has no axis 3."),
        ("symmetric(output)", tensor([1.0]), "The output has no axis -2."),
        ("orthonormal(output, dim=-1)", tensor([1.0]), "The output has no axis -2."),
        ("bounded(output, 0, 1)", tensor([1j], "complex64"), "The output holds complex numbers."),
        ("sums_to(output[2], 1, dim=-1)", [X, X], "The output has no such part."),
        ('sums_to(output["a"], 1, dim=-1)', {"b": X}, "The output has no such part."),
        ("sums_to(output[0], 1, dim=-1)", X, "The output has no such part."),
        ("finite(output)", "text", "The output holds something else than tensors and numbers."),
        (
            "finite(output)",
            Unsupported(kind="a generator"),
            "The output holds something else than tensors and numbers.",
        ),
        ("finite(output)", None, "The output holds something else than tensors and numbers."),
        ("causal(x, dim=0)", tensor([1.0]), "The output does not have a place for each position."),
        ("equivariant(x, dim=0)", tensor([1.0]), "The output does not have a place for each position."),
        (
            "orthonormal(output, dim=-1)",
            tensor([[1.0], [0.0]]),
            "More vectors than each has elements cannot be orthonormal.",
        ),
        ("finite(output)", [], "The output holds no numbers."),
        ("odd(x)", {"a": tensor([]), "b": ()}, "The output holds no numbers."),
        ("finite(output)", tensor(np.zeros(2**22 + 1), "bool"), "The output holds more than 4,194,304 numbers."),
    ],
)
def test_output_of_another_form_is_told(text, value, words):
    assert unfit(text, value) == words


def test_outputs_that_are_not_built_alike_are_told():
    assert unfit("even(x)", X, [X, X]) == "The outputs of two calls are not built alike."


def test_outputs_of_another_shape_are_told():
    asked, inputs = parse_property("even(x)"), Inputs(args=(X,))
    calls = further_calls(asked, inputs, PARAMETERS)

    found = violation(asked, [X, tensor([1.0])], calls=calls, comparison=Comparison())

    assert found.mismatch.stage == Stage.SHAPE


EMPTY = tensor(np.zeros((0, 3)))
FORMLESS = {
    "nothing": None,
    "an empty list": [],
    "an empty dictionary": {},
    "a list of nothing": [[], ()],
    "no rows": EMPTY,
    "a text": "text",
    "a list of it": [X],
    "another shape": tensor(np.ones((3, 4))),
    "whole numbers": tensor(np.ones((4, 3)), "int64"),
    "complex numbers": tensor(np.ones((4, 3)), "complex64"),
    "a number": 1.0,
}


@pytest.mark.parametrize("formless", FORMLESS)
@pytest.mark.parametrize("text", [*PAIRS, "deterministic(output)", "invariant(z, dim=0)"])
def test_output_of_another_form_than_expected_has_no_property(text, formless):
    asked = parse_property(text)
    calls = further_calls(asked, Inputs(args=(X,)), PARAMETERS)
    outputs = [FORMLESS[formless]] * (len(calls) + 1)

    found = violation(asked, outputs, calls=calls, comparison=Comparison(), expected=X)

    assert found.unfit == "The output is not of the form that is expected."


def has(text, value, expected, **compare):
    """Whether an output has a property where another is expected; further calls give the same."""
    asked = parse_property(text)
    calls = further_calls(asked, Inputs(args=(X,)), PARAMETERS)
    policy = Comparison.from_definition(compare)
    return violation(asked, [value] * (len(calls) + 1), calls=calls, comparison=policy, expected=expected) is None


def test_expected_output_without_numbers_has_what_nothing_can_lack():
    assert has("finite(output)", EMPTY, EMPTY)
    assert has("finite(output)", (), [])


def test_form_may_be_what_the_exercise_allows():
    whole = tensor([[1, 0]], "int64")

    assert has("sums_to(output, 1, dim=-1)", tensor([[0.5, 0.5]], "float16"), tensor([[1.0, 0.0]]))
    assert has("sums_to(output, 1, dim=-1)", tensor([[0.5, 0.5]], origin="numpy"), tensor([[1.0, 0.0]]))
    assert has("bounded(output, 0, 1)", 0.5, tensor(0.5))
    assert has("bounded(output, 0, 1)", 1, 0.5)
    assert not has("sums_to(output, 1, dim=-1)", whole, tensor([[1.0, 0.0]]))
    assert has("sums_to(output, 1, dim=-1)", whole, tensor([[1.0, 0.0]]), dtypes="any")
    assert has("sums_to(output, 1, dim=-1)", whole, tensor([[1.0, 0.0]]), dtypes=["int64"])


def test_only_the_part_that_is_asked_about_must_have_the_form():
    text, expected = 'sums_to(output["a"], 1, dim=-1)', {"a": tensor([1.0, 0.0]), "b": X}

    assert has(text, {"a": tensor([0.5, 0.5]), "b": "text"}, expected)
    assert not has(text, {"a": tensor([1.0]), "b": X}, expected)


def test_tolerance_is_that_of_the_reference():
    ones = tensor([[1.0, 0.0]])

    assert not has("sums_to(output, 1, dim=-1)", tensor([[0.5, 0.4995]], "float16"), ones)
    assert has("sums_to(output, 1, dim=-1)", tensor([[0.5, 0.4995]], "float16"), ones, dtypes=["float16"])
    assert has("sums_to(output, 1, dim=-1)", tensor([[0.5, 0.5001]]), ones, rtol=1e-4, atol=0.0)


@pytest.mark.parametrize("text", ["bounded(output, 0, 1)", "non_negative(output)", "monotone(output, dim=-1)"])
def test_not_a_number_lies_nowhere(text):
    filled = tensor([[0.0, math.nan]])

    assert not has(text, filled, tensor([[0.0, 1.0]]))
    assert has(text, filled, filled, equal_nan=True)
    assert not has("finite(output)", filled, filled, equal_nan=True)
    assert has("even(x)", filled, filled)


@pytest.mark.parametrize("word", ["even", "odd", "idempotent"])
@pytest.mark.parametrize(
    ("first", "later"),
    [
        (tensor([3], "int64"), tensor([2j], "complex64")),
        (tensor([3], "uint8"), tensor([2.5])),
        (tensor([True], "bool"), tensor([math.inf], "complex128")),
        (tensor([2**63], "uint64"), tensor([-1], "int64")),
        (10**400, 0.5),
        (1j, 10**400),
    ],
)
def test_outputs_of_two_kinds_are_compared(word, first, later):
    asked = parse_property(f"{word}(x)")
    calls = further_calls(asked, Inputs(args=(X,)), PARAMETERS)

    for outputs in ([first, later], [later, first]):
        for expected in (None, outputs[0]):
            found = violation(asked, outputs, calls=calls, comparison=Comparison(), expected=expected)

            assert found.mismatch is not None


def test_form_that_is_told_is_that_of_the_output():
    asked = parse_property("sums_to(output, 1, dim=-1)")

    found = violation(asked, [tensor([[0.5, 0.4]])], calls=(), comparison=Comparison()).mismatch

    assert (found.actual.dtype, found.expected.dtype) == ("float32", "float32")
    assert (found.actual.shape, found.expected.shape) == ((1,), (1,))


@pytest.mark.parametrize("text", [*PAIRS, "deterministic(output)"])
def test_output_costs_no_more_than_a_small_multiple_of_what_is_expected(text):
    megabyte = tensor(np.full((2**20, 1), 2), "uint8")
    asked = parse_property(text)
    calls = further_calls(asked, Inputs(args=(X,)), PARAMETERS)

    tracemalloc.start()
    found = violation(asked, [megabyte] * (len(calls) + 1), calls=calls, comparison=Comparison(), expected=X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert found.unfit
    assert peak < 2**16


@pytest.mark.parametrize("text", [*PAIRS, "deterministic(output)"])
def test_large_output_that_is_expected_costs_a_small_multiple_of_it(text):
    large = tensor(np.full((2**16, 1), 2), "uint8")
    asked = parse_property(text)
    calls = further_calls(asked, Inputs(args=(X,)), PARAMETERS)

    tracemalloc.start()
    violation(asked, [large] * (len(calls) + 1), calls=calls, comparison=Comparison(), expected=large)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 100 * large.values.nbytes


def test_every_array_of_an_output_is_checked():
    good = tensor([0.5, 0.5])

    assert unfit("sums_to(output, 1, dim=-1)", {"b": [good], "a": (good,)}) is None
    assert unfit("sums_to(output, 1, dim=-1)", {"b": [good], "a": (tensor([0.5]),)}) == ""
    assert unfit('sums_to(output["b"][0], 1, dim=-1)', {"b": [good], "a": "text"}) is None
    assert unfit("sums_to(output[-1], 1, dim=-1)", [tensor([0.5]), good]) is None
    assert unfit("bounded(output, 0, 1)", [0.5, 1, True]) is None
    assert unfit("bounded(output, 0, 1)", 2) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sums_to",
        "sums_to()",
        "sums_to(output, dim=-1)",
        "sums_to(output, 1)",
        "sums_to(output, 1, dim=-1, dim=-1)",
        "sums_to(output, 1, axis=-1)",
        "sums_to(output, 1, 2, dim=-1)",
        "sums_to(1, output, dim=-1)",
        "sums_to(output, dim=-1, 1)",
        "sums_to(output, one, dim=-1)",
        "sums_to(weights, 1, dim=-1)",
        "sums_to(output.weights, 1, dim=-1)",
        "sums_to(output[a], 1, dim=-1)",
        "sums_to(output, 1, dim=0.5)",
        "sums_to(output, 1, dim=99)",
        "sums_to(output, nan, dim=-1)",
        "causal(dim=-2)",
        "causal(output, dim=-2)",
        "causal(x, x, dim=-2)",
        "causal(2x, dim=-2)",
        "odd(x, y)",
        "causal(x, dim=-2) or odd(x)",
        "__import__('os')",
        "finite(output[0)",
    ],
)
def test_property_that_cannot_be_meant_is_refused(text):
    with pytest.raises(DefinitionError, match="expected"):
        parse_property(text)


@pytest.mark.parametrize("word", WORDS)
def test_form_that_is_told_can_be_written(word):
    text = form_of(word).replace("…", "-1").replace("argument, -1", "a, b").replace("argument", "a")
    for name in ("total", "low", "high"):
        text = text.replace(name, "1")

    asked = parse_property(f"  {text} ")

    assert asked.word == word
    assert 0 < len(name_of(asked)) <= 100


def test_names_of_properties():
    assert name_of(parse_property("orthonormal(output, dim=-2)")) == (
        "Vectors of the output along axis -2 are orthonormal"
    )
    assert name_of(parse_property('bounded(output[0]["a"], -1, 1e1)')) == '`output[0]["a"]` lies between -1 and 10'
    assert name_of(parse_property("homogeneous(x, degree=-1)")) == "Doubling `x` multiplies the output by 2^-1"
