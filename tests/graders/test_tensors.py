"""Comparison in stages; the letters in brackets are those of the published list of submissions."""

import math

import numpy as np
import pytest

from graders.arrays import Unsupported, from_bytes
from graders.cases import Case, Returned
from graders.comparisons import Comparison
from graders.demands import WrongGradient, unmet_demand
from graders.outcomes import Stage, Verdict
from graders.tensors import compare, is_of_form, verdict_of
from tests.graders.values import tensor


def stage(actual, expected, **policy):
    mismatch = compare(actual, expected, Comparison(**policy))
    return mismatch and mismatch.stage


@pytest.mark.parametrize(
    "value",
    [
        tensor([[1.0, 2.0]]),
        tensor(3.0),
        tensor(np.zeros((0, 4))),
        tensor([True, False], "bool"),
        tensor([1 + 2j], "complex64"),
        tensor([2**62, -5], "int64"),
        tensor([1.5], "bfloat16"),
        {"mean": tensor([1.0]), "var": [tensor([2.0]), None, "text", 3, 0.5, True, 1j]},
        (),
        [],
        {},
        None,
        "text",
    ],
)
def test_compare_equal_values_agree(value):
    assert compare(value, value) is None
    assert verdict_of(None) == Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (None, tensor([1.0])),
        (tensor([1.0]), None),
        ([1.0], tensor([1.0])),
        ("1.0", tensor([1.0])),
        ("1", 1),
        (tensor([1.0], origin="numpy"), tensor([1.0])),
        (tensor([1.0]), tensor([1.0], origin="numpy")),
        (1.0, tensor(1.0)),
        (tensor(1.0), 1.0),
        (tensor([1.0]), (tensor([1.0]), tensor([1.0]))),
        ((tensor([1.0]),), (tensor([1.0]), tensor([1.0]))),
        (tensor([1.0]), {"mean": tensor([1.0])}),
        ({"Mean": tensor([1.0])}, {"mean": tensor([1.0])}),
        ({"mean": tensor([1.0]), "more": 1}, {"mean": tensor([1.0])}),
        (Unsupported(kind="a sparse tensor"), tensor([1.0])),
        (Unsupported(kind="a generator"), [1, 2]),
    ],
)
def test_compare_other_structure_is_invalid_output(actual, expected):
    mismatch = compare(actual, expected)

    assert mismatch.stage == Stage.STRUCTURE
    assert verdict_of(mismatch) == Verdict.INVALID_OUTPUT


def test_compare_takes_lists_for_tuples_and_names_in_any_order():  # L31
    expected = {"a": (tensor([1.0]), tensor([2.0])), "b": [1, 2]}

    assert compare({"b": (1, 2), "a": [tensor([1.0]), tensor([2.0])]}, expected) is None


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (tensor([2.0]), tensor([2.0, 2.0, 2.0])),  # K01
        (tensor(2.0), tensor([2.0, 2.0])),
        (tensor([]), tensor([1.0])),  # K02
        (tensor([]), tensor(1.0)),
        (tensor([[1.0, 2.0]]), tensor([1.0, 2.0])),
        (tensor([[1.0], [2.0]]), tensor([[1.0, 2.0]])),
        (tensor(np.zeros((0, 3))), tensor(np.zeros((0, 4)))),
    ],
)
def test_compare_never_broadcasts(actual, expected):
    mismatch = compare(actual, expected)

    assert mismatch.stage == Stage.SHAPE
    assert mismatch.actual.shape == actual.shape
    assert verdict_of(mismatch) == Verdict.INVALID_OUTPUT


@pytest.mark.parametrize(
    ("actual", "expected", "dtypes"),
    [
        ("float64", "float32", "exact"),
        ("float16", "float32", "exact"),  # K13
        ("bfloat16", "float32", ("float64",)),
        ("uint8", "bool", "exact"),  # K12
        ("uint8", "bool", "kind"),
        ("int8", "int64", "exact"),  # K09
        ("float32", "int64", "kind"),
        ("complex64", "float32", "kind"),
    ],
)
def test_compare_other_dtype_is_invalid_output(actual, expected, dtypes):
    mismatch = compare(tensor([1], actual), tensor([1], expected), Comparison(dtypes=dtypes))

    assert mismatch.stage == Stage.DTYPE
    assert verdict_of(mismatch) == Verdict.INVALID_OUTPUT


@pytest.mark.parametrize(
    ("actual", "expected", "dtypes"),
    [
        ("float64", "float32", "kind"),  # L01
        ("float64", "float32", ("float64",)),
        ("int8", "int64", "kind"),
        ("float32", "int64", "any"),
        ("uint8", "bool", "any"),
        ("int64", "int64", ("float64",)),
    ],
)
def test_compare_allowed_dtype_agrees(actual, expected, dtypes):
    assert compare(tensor([1], actual), tensor([1], expected), Comparison(dtypes=dtypes)) is None


def test_compare_names_the_allowed_dtypes():
    mismatch = compare(tensor([1], "int8"), tensor([1]), Comparison(dtypes=("float64",)))

    assert mismatch.allowed == ("float64",)


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (1, 1.0),
        (1.0 + 1e-9, 1.0),
        (True, True),
        (10**30, 10**30),
        (1j, 1j),
    ],
)
def test_compare_python_numbers_agree(actual, expected):
    assert compare(actual, expected) is None


@pytest.mark.parametrize(
    ("actual", "expected", "found"),
    [
        (1.0, 1, Stage.DTYPE),
        (1, True, Stage.DTYPE),
        (True, 1, Stage.DTYPE),
        (2, 1, Stage.VALUES),
        (10**30 + 1, 10**30, Stage.VALUES),
        (2**53 + 1, 2**53, Stage.VALUES),
        (1.1, 1.0, Stage.VALUES),
        (False, True, Stage.VALUES),
        (math.nan, 1.0, Stage.NAN),
        (10**400, 1.0, Stage.NAN),
    ],
)
def test_compare_python_numbers_differ(actual, expected, found):
    assert stage(actual, expected) == found


@pytest.mark.parametrize(
    ("actual", "expected", "allow"),
    [
        (tensor([1.0], origin="numpy"), tensor([1.0]), {"numpy"}),
        (tensor([1.0]), tensor([1.0], origin="numpy"), {"numpy"}),
        (tensor(1.0, origin="numpy"), 1.0, {"numpy"}),
        (tensor(1.0, origin="numpy"), 1.0, {"scalars"}),
        (1.0, tensor(1.0), {"scalars"}),
        (tensor(1.0), 1.0, {"scalars"}),
        (1, tensor(1.0), {"scalars"}),
        (tensor(1, "int64"), 1, {"scalars"}),
    ],
)
def test_compare_takes_what_allow_names(actual, expected, allow):
    assert compare(actual, expected, Comparison(allow=frozenset(allow))) is None


@pytest.mark.parametrize(
    ("actual", "expected", "found"),
    [
        (1.0, tensor([1.0]), Stage.SHAPE),
        (tensor([1.0]), 1.0, Stage.SHAPE),
        (1.0, tensor(1, "int64"), Stage.DTYPE),
        (tensor(1, "int64"), 1.0, Stage.DTYPE),
        (2.0, tensor(1.0), Stage.VALUES),
        (tensor([1.0], origin="numpy"), 1.0, Stage.SHAPE),
    ],
)
def test_compare_scalars_still_differ(actual, expected, found):
    assert stage(actual, expected, allow=frozenset({"scalars"})) == found


def test_compare_numpy_array_is_no_number():
    assert stage(tensor([1.0], origin="numpy"), 1.0, allow=frozenset({"numpy"})) == Stage.STRUCTURE


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ([math.nan, math.nan], [1.0, 2.0]),  # K04
        ([1.0, math.nan], [1.0, 2.0]),
        ([1.0, 2.0], [1.0, math.nan]),
        ([math.inf, 1.0], [1.0, 1.0]),
        ([1e30, 1.0], [math.inf, 1.0]),
        ([-math.inf, 1.0], [math.inf, 1.0]),
        ([math.nan, 1.0], [math.inf, 1.0]),
        ([math.nan, 1.0], [math.nan, 1.0]),
    ],
)
def test_compare_nan_and_infinities_must_be_in_their_places(actual, expected):
    mismatch = compare(tensor(actual), tensor(expected))

    assert mismatch.stage == Stage.NAN
    assert verdict_of(mismatch) == Verdict.WRONG_ANSWER


def test_compare_infinities_in_their_places_agree():
    assert compare(tensor([math.inf, -math.inf]), tensor([math.inf, -math.inf])) is None


def test_compare_nan_agrees_only_where_the_exercise_says_so():
    value = tensor([math.nan, 1.0])

    assert compare(value, value, Comparison(equal_nan=True)) is None
    assert stage(tensor([1.0, math.nan]), value, equal_nan=True) == Stage.NAN
    assert stage(tensor([math.nan, 2.0]), value, equal_nan=True) == Stage.VALUES


@pytest.mark.parametrize(
    ("dtype", "rtol", "atol"),
    [("float16", 1e-3, 1e-5), ("bfloat16", 1.6e-2, 1e-5), ("float32", 1.3e-6, 1e-5), ("float64", 1e-7, 1e-7)],
)
def test_compare_tolerates_the_default_of_the_dtype_and_no_more(dtype, rtol, atol):
    expected = tensor([1024.0], dtype)
    holding = expected.values.dtype
    step = atol + rtol * 1024

    assert compare(tensor(np.array([1024.0 + 0.5 * step], dtype=holding), dtype), expected) is None
    assert stage(tensor(np.array([1024.0 + 2 * step], dtype=holding), dtype), expected) == Stage.VALUES


def test_compare_takes_tolerance_relative_to_the_reference():  # K30
    policy = Comparison(rtol=0.1, atol=0.0)

    assert stage(tensor([1.105]), tensor([1.0]), rtol=0.1, atol=0.0) == Stage.VALUES
    assert compare(tensor([0.905]), tensor([1.0]), policy) is None


def test_compare_adds_both_tolerances_elementwise():
    expected = tensor([0.0, 10.0], "float64")

    assert compare(tensor([0.09, 10.89], "float64"), expected, Comparison(rtol=0.08, atol=0.1)) is None
    assert stage(tensor([0.11, 10.0], "float64"), expected, rtol=0.08, atol=0.1) == Stage.VALUES


def test_compare_integers_exactly_beyond_what_floats_hold():  # K09
    expected = tensor([2**53], "int64")

    assert stage(tensor([2**53 + 1], "int64"), expected) == Stage.VALUES
    assert stage(tensor([-(2**63)], "int64"), tensor([0], "int64")) == Stage.VALUES
    assert stage(tensor([2**64 - 1], "uint64"), tensor([-1], "int64"), dtypes="kind") == Stage.VALUES
    assert stage(tensor([2**63], "uint64"), tensor([2**63 - 1], "int64"), dtypes="kind") == Stage.VALUES


def test_compare_booleans_exactly():
    assert stage(tensor([True, True], "bool"), tensor([True, False], "bool")) == Stage.VALUES


@pytest.mark.parametrize("actual", [[1 + 2.1j], [1.1 + 2j], [1 - 2j]])
def test_compare_complex_by_distance(actual):
    assert stage(tensor(actual, "complex64"), tensor([1 + 2j], "complex64")) == Stage.VALUES


def test_compare_complex_nan_in_either_part():
    assert stage(tensor([complex(1, math.nan)], "complex64"), tensor([1 + 1j], "complex64")) == Stage.NAN


def test_compare_zero_has_no_sign_unless_declared():  # K07
    plus, minus = tensor([0.0, 1.0]), tensor([-0.0, 1.0])

    assert compare(minus, plus) is None
    assert stage(minus, plus, signed_zero=True) == Stage.VALUES
    assert compare(plus, plus, Comparison(signed_zero=True)) is None


def test_compare_zero_of_complex_has_two_signs():
    plus, minus = tensor([complex(1, 0.0)], "complex64"), tensor([complex(1, -0.0)], "complex64")

    assert stage(minus, plus, signed_zero=True) == Stage.VALUES
    assert compare(plus, plus, Comparison(signed_zero=True)) is None


def test_compare_extreme_values_do_not_overflow_into_agreement():
    assert stage(tensor([1.7e308], "float64"), tensor([-1.7e308], "float64")) == Stage.VALUES


def test_compare_checks_a_stage_everywhere_before_the_next():
    expected = {"a": tensor([1.0]), "b": tensor([1.0]), "c": tensor([1.0])}
    actual = {"a": tensor([2.0]), "b": tensor([1.0], "float64"), "c": tensor([[1.0]])}

    mismatch = compare(actual, expected)

    assert mismatch.stage == Stage.SHAPE
    assert mismatch.path == '["c"]'


def test_compare_names_all_places_of_the_stage():
    expected = {"layers": [{"weight": tensor([1.0]), "bias": tensor([1.0])}, {"weight": tensor([1.0])}]}
    actual = {"layers": [{"weight": tensor([1.0]), "bias": tensor([2.0])}, {"weight": tensor([3.0])}]}

    mismatch = compare(actual, expected)

    assert mismatch.path == '["layers"][0]["bias"]'
    assert mismatch.others == ('["layers"][1]["weight"]',)


def test_compare_texts():
    mismatch = compare(["same", "other"], ["same", "text"])

    assert (mismatch.stage, mismatch.path) == (Stage.VALUES, "[1]")
    assert (mismatch.worst.actual, mismatch.worst.expected) == ("other", "text")


def test_compare_bottomless_lists_by_the_expected_structure_only():  # K24
    endless = []
    endless.append(endless)

    assert stage(endless, tensor([1.0])) == Stage.STRUCTURE
    assert stage(endless, [tensor([1.0])]) == Stage.STRUCTURE


def test_form_is_that_of_structure_shapes_and_kinds():
    expected = {"text": "a", "pair": (tensor([1.0]), 2), "nothing": None}

    assert is_of_form({"nothing": None, "text": "b", "pair": [tensor([9.0], "float16"), 3]}, expected, Comparison())
    assert not is_of_form({**expected, "text": 1}, expected, Comparison())
    assert not is_of_form({**expected, "pair": (tensor([1.0]),)}, expected, Comparison())
    assert not is_of_form({**expected, "pair": (tensor([1.0]), 2.5)}, expected, Comparison())
    assert not is_of_form({**expected, "nothing": 0}, expected, Comparison())


@pytest.mark.parametrize(
    ("dtype", "number", "size"),
    [
        ("float64", 0x7FF0_0000_0000_0001, 8),
        ("float32", 0x7F80_0001, 4),
        ("float16", 0x7C01, 2),
        ("bfloat16", 0x7F81, 2),
        ("complex128", 0x7FF0_0000_0000_0001, 16),
        ("complex64", 0x7F80_0001, 8),
        ("complex32", 0x7C01, 4),
    ],
)
def test_compare_signalling_nan_is_nan_without_a_warning(dtype, number, size):
    part = number.to_bytes(size // 2 if dtype.startswith("complex") else size, "little")
    signalling = from_bytes(dtype, (3,), part * (3 * size // len(part)))
    zeros = from_bytes(dtype, (3,), bytes(3 * size))
    case = Case(name="a", visible=True, index=0, expected=zeros, gradients={"x": zeros})

    assert stage(signalling, zeros) is Stage.NAN
    assert compare(signalling, signalling, Comparison(equal_nan=True, signed_zero=True)) is None
    unmet = unmet_demand(case, Returned(value=zeros, gradients={"x": signalling}), Comparison())
    assert isinstance(unmet, WrongGradient)
