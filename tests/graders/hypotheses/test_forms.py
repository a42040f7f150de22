"""The right numbers in another form than that of a tensor of the expected dtype, and what is no fault."""

import tracemalloc

import numpy as np
import pytest

from graders.comparisons import Comparison
from graders.hypotheses.causes import Cause
from graders.hypotheses.forms import other_form
from tests.graders.values import tensor

RIGHT = tensor([[1.0, 2.0], [3.0, 4.0]])
NUMPY = Comparison(allow=frozenset({"numpy"}))
ROWS = [tensor([1.0, 2.0]), tensor([3.0, 4.0])]


@pytest.mark.parametrize(
    ("actual", "cause"),
    [
        ([1.0, 2.0, 3.0, 4.0], Cause.NUMPY_OR_LIST),
        ([[1.0, 2.0], [3.0, 4.0]], Cause.NUMPY_OR_LIST),
        (ROWS, Cause.NUMPY_OR_LIST),
        (tuple(ROWS), Cause.NUMPY_OR_LIST),
        ((RIGHT,), Cause.NUMPY_OR_LIST),
        (tensor(RIGHT.values, origin="numpy"), Cause.NUMPY_OR_LIST),
        (tensor(RIGHT.values, "float64"), Cause.WRONG_DTYPE),
        (tensor(RIGHT.values, "int64"), Cause.WRONG_DTYPE),
        (None, Cause.NO_RESULT),
        (ROWS[:1], None),
        ([*ROWS, tensor([5.0, 6.0])], None),
        ([tensor([1.0, 2.0]), tensor([3.0]), tensor([4.0])], None),
        ([tensor([1.0, 2.0]), tensor([4.0, 3.0])], None),
        ([RIGHT, RIGHT], None),
        ([], None),
        ("1 2 3 4", None),
    ],
)
def test_form_of_the_right_numbers(actual, cause):
    assert other_form(actual, RIGHT, Comparison()) == cause


@pytest.mark.parametrize(
    ("actual", "policy"),
    [
        (tensor(RIGHT.values * 1.0005, "float64"), Comparison(dtypes=("float64",))),
        (tensor(RIGHT.values * 1.0005, "float64"), Comparison(dtypes="kind")),
        (tensor(RIGHT.values * 1.0005, origin="numpy"), NUMPY),
    ],
)
def test_form_that_the_exercise_allows_is_no_cause(actual, policy):
    assert other_form(actual, RIGHT, policy) is None


A, B = tensor([1.0, 2.0]), tensor([3.0, 4.0])
LISTED = [1.0, 2.0]


@pytest.mark.parametrize(
    ("actual", "expected", "cause"),
    [
        ((B, A), (A, B), Cause.RESULTS_SWAPPED),
        ({"mean": B, "var": A}, {"mean": A, "var": B}, Cause.RESULTS_SWAPPED),
        ((RIGHT, A), [A, RIGHT], Cause.RESULTS_SWAPPED),
        ((B, B), (A, B), None),
        ((A, B), (A, B), None),
        ({"mean": LISTED, "var": B}, {"mean": A, "var": B}, Cause.NUMPY_OR_LIST),
        ({"mean": LISTED, "var": A}, {"mean": A, "var": B}, None),
        ({"mean": A}, {"mean": A, "var": B}, None),
        ((A, B), {"mean": A, "var": B}, None),
        ((A, [B]), (A, {"x": B}), None),
        ((A, tensor(2, "int64")), (A, 2.0), Cause.WRONG_DTYPE),
        ((LISTED, "a"), (A, "a"), Cause.NUMPY_OR_LIST),
        ("a", "b", None),
        ([], tensor(np.zeros((0, 2))), Cause.NUMPY_OR_LIST),
        ({"x": A}, A, None),
        ({"x": A, "y": A}, A, None),
    ],
)
def test_form_of_several_results(actual, expected, cause):
    assert other_form(actual, expected, Comparison()) == cause


def test_list_is_none_of_the_allowed_forms():
    assert other_form([1.0, 2.0, 3.0, 4.0], RIGHT, Comparison(allow=frozenset({"numpy", "scalars"}))) == (
        Cause.NUMPY_OR_LIST
    )


def test_results_of_other_shapes_are_not_swapped():
    results = [tensor([1.0, 2.0]), tensor([[3.0]])]

    assert other_form(results[::-1], results, Comparison()) == Cause.RESULTS_SWAPPED
    assert other_form([results[1], results[1]], results, Comparison()) is None


def test_many_results_are_not_compared_with_each_other():
    few, many = ([tensor(float(number)) for number in range(count)] for count in (32, 33))

    assert other_form(few[::-1], few, Comparison()) == Cause.RESULTS_SWAPPED
    assert other_form(many[::-1], many, Comparison()) is None


@pytest.mark.parametrize("wrapped", [lambda value: value, lambda value: {"a": value}, lambda value: [value]])
def test_large_values_of_another_shape_cost_nothing(wrapped):
    large, expected = tensor(np.ones(2**20), "uint8"), tensor(np.zeros((4, 4)))

    tracemalloc.start()
    found = other_form(wrapped(large), wrapped(expected), Comparison())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert found is None
    assert peak < 2**16
