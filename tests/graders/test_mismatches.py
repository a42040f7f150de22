import json
import math

import numpy as np
import pytest

from graders import mismatches
from graders.arrays import Unsupported, difference
from graders.comparisons import Comparison
from graders.details import details_of
from graders.mismatches import describe
from graders.tensors import compare
from tests.graders.values import tensor


def test_mismatch_gives_worst_place_errors_and_share():
    expected = np.ones((2, 3, 4))
    actual = expected.copy()
    actual[0, 1, 2] = 1.5
    actual[1, 2, 3] = 3.0

    mismatch = compare(tensor(actual), tensor(expected * 1.0))

    assert mismatch.worst.index == (1, 2, 3)
    assert (mismatch.worst.actual, mismatch.worst.expected) == (3.0, 1.0)
    assert mismatch.max_absolute_error == 2.0
    assert mismatch.max_relative_error == 2.0
    assert (mismatch.wrong, mismatch.total) == (2, 24)
    assert mismatch.share_wrong == pytest.approx(2 / 24)
    assert [pair.index for pair in mismatch.pairs] == [(0, 1, 2), (1, 2, 3)]
    assert mismatch.only == (None, None, None)


def test_mismatch_counts_only_wrong_elements_in_its_errors():
    mismatch = compare(tensor([1e6 + 1, 2.0]), tensor([1e6, 1.0]))

    assert mismatch.max_absolute_error == 1.0


def test_mismatch_names_the_row_that_all_wrong_elements_share():
    expected = np.ones((3, 4))
    actual = expected.copy()
    actual[2] = 7

    assert compare(tensor(actual), tensor(expected)).only == (2, None)


def test_mismatch_of_large_integers_has_their_exact_errors():
    mismatch = compare(tensor([2**62, 2**62 + 1], "int64"), tensor([2**62 + 1, 2**62 + 4], "int64"))

    assert mismatch.worst.index == (1,)
    assert mismatch.max_absolute_error == 3.0


def test_mismatch_of_wrapped_integers_does_not_wrap_again():
    assert compare(tensor([-(2**63)], "int64"), tensor([2**63 - 1], "int64")).max_absolute_error == 2.0**64


def test_mismatch_of_immense_python_integers_has_no_error():
    assert compare(10**400, 1).max_absolute_error is None


@pytest.mark.parametrize("block", [7, 64, 1000])
@pytest.mark.parametrize("shape", [(5000,), (3, 1700), (1700, 3), (2, 50, 40)])
@pytest.mark.parametrize("dtype", ["float32", "int8", "int64", "uint64", "complex64"])
def test_mismatch_of_a_large_output_is_found_in_blocks(monkeypatch, block, shape, dtype):
    drawn = np.random.default_rng(7)
    actual, expected = (tensor(drawn.integers(0, 100, shape), dtype) for _ in range(2))
    whole = compare(actual, expected)

    monkeypatch.setattr(mismatches, "BLOCK", block)

    assert compare(actual, expected) == whole


def test_mismatch_of_a_few_late_elements_is_found_in_blocks(monkeypatch):
    expected = np.zeros(100)
    actual = expected.copy()
    actual[[60, 90, 99]] = [np.nan, 1, -2]
    monkeypatch.setattr(mismatches, "BLOCK", 8)

    mismatch = compare(tensor(actual), tensor(expected))
    assert (mismatch.wrong, mismatch.worst.index, mismatch.max_absolute_error) == (1, (60,), None)

    mismatch = compare(tensor(np.nan_to_num(actual)), tensor(expected))
    assert [pair.index for pair in mismatch.pairs] == [(90,), (99,)]
    assert (mismatch.worst.index, mismatch.max_absolute_error) == ((99,), 2.0)


@pytest.mark.parametrize(
    ("dtype", "actual", "expected", "error"),
    [
        ("uint64", 2**64 - 1, 0, 2.0**64),
        ("uint64", 0, 2**64 - 1, 2.0**64),
        ("uint64", 2**63, 2**63 + 3, 3.0),
        ("int64", -(2**63), 2**63 - 1, 2.0**64),
        ("int8", -128, 127, 255.0),
        ("uint8", 0, 255, 255.0),
    ],
)
def test_mismatch_of_integers_never_wraps(dtype, actual, expected, error):
    mismatch = compare(tensor([actual], dtype), tensor([expected], dtype))

    assert mismatch.max_absolute_error == error
    assert np.sign(mismatch.difference_map.cells[0][0]) == np.sign(actual - expected)


def test_mismatch_of_signed_and_unsigned_integers_is_exact():
    mixed = compare(tensor([2**64 - 1], "uint64"), tensor([-1], "int64"), Comparison(dtypes="any"))

    assert mixed.max_absolute_error == 2.0**64


INTEGERS = {
    "uint64": (0, 1, 2**63, 2**64 - 1),
    "int64": (-(2**63), -1, 0, 2**63 - 1),
    "uint8": (0, 255),
    "int8": (-128, 0),
}


@pytest.mark.parametrize("ours", INTEGERS)
@pytest.mark.parametrize("theirs", INTEGERS)
def test_difference_of_any_two_integers_is_exact(theirs, ours):
    for actual in INTEGERS[theirs]:
        for expected in INTEGERS[ours]:
            found = difference(tensor([actual], theirs), tensor(expected, ours))

            assert found.tolist() == [float(actual - expected)]


def test_mismatch_of_a_long_list_is_told_once():
    mismatch = compare([float(number) for number in range(1000)], [-1.0] * 1000)

    assert (mismatch.path, len(mismatch.others), mismatch.others[-1]) == ("[0]", 999, "[999]")
    assert details_of(mismatch)["others"] == [f"[{place}]" for place in range(1, 101)]


def test_details_of_the_largest_numbers_are_json():
    largest = np.finfo(np.float64).max
    mismatch = compare(tensor([[largest, 0.0]], "float64"), tensor([[0.0, 1.0]], "float64"))

    details = details_of(mismatch)

    assert json.dumps(details, allow_nan=False)
    assert details["map"]["cells"] == [[largest, -1.0]]
    assert details["map"]["limit"] == largest


def test_mismatch_keeps_the_first_five_pairs():
    mismatch = compare(tensor(np.zeros(9)), tensor(np.ones(9)))

    assert [pair.index for pair in mismatch.pairs] == [(0,), (1,), (2,), (3,), (4,)]


def test_mismatch_with_nan_is_worst_there_and_has_no_error():
    mismatch = compare(tensor([5.0, math.nan]), tensor([5.0, 2.0]))

    assert mismatch.worst.index == (1,)
    assert mismatch.max_absolute_error is None
    assert mismatch.difference_map.cells == ((0.0, None),)


def test_mismatch_where_zero_was_expected_has_no_relative_error():
    assert compare(tensor([1.0]), tensor([0.0])).max_relative_error is None


def test_mismatch_of_a_scalar_has_no_map():
    mismatch = compare(tensor(2.0), tensor(1.0))

    assert mismatch.difference_map is None
    assert mismatch.worst.index == ()


def test_mismatch_of_structure_has_no_share():
    assert compare(None, tensor(1.0)).share_wrong == 0.0


def test_difference_map_is_of_the_plane_with_the_worst_element():
    expected = np.zeros((2, 3, 4))
    actual = expected.copy()
    actual[1, 2, 3] = -2.0

    drawn = compare(tensor(actual), tensor(expected)).difference_map

    assert drawn.leading == (1,)
    assert drawn.shape == (3, 4)
    assert drawn.cells[2] == (0.0, 0.0, 0.0, -2.0)
    assert drawn.limit == 2.0


def test_difference_map_of_a_large_tensor_is_pooled_to_32_by_32():
    expected = np.zeros((100, 33))
    actual = expected.copy()
    actual[99, 32] = -3.0
    actual[98, 32] = 2.0

    drawn = compare(tensor(actual), tensor(expected)).difference_map

    assert (len(drawn.cells), len(drawn.cells[0])) == (32, 32)
    assert drawn.shape == (100, 33)
    assert drawn.cells[31][31] == -3.0


def test_difference_map_of_nan_alone_has_no_limit():
    assert compare(tensor([math.nan]), tensor([1.0])).difference_map.limit == 0.0


def test_difference_map_of_complex_is_of_magnitudes():
    assert compare(tensor([4j], "complex64"), tensor([0], "complex64")).difference_map.cells == ((4.0,),)


@pytest.mark.parametrize(
    ("value", "noun"),
    [
        (tensor([1.0]), "a tensor"),
        (tensor([1.0], origin="numpy"), "a numpy array"),
        (3, "a Python int"),
        (True, "a Python bool"),
        (0.5, "a Python float"),
        (1j, "a Python complex"),
        ("x", "a text"),
        (None, "None"),
        ([1], "a list"),
        ((1,), "a tuple"),
        ({"a": 1}, "a dictionary"),
        (Unsupported(kind="a generator"), "a generator"),
        (Unsupported(kind="<img src='x'>" + "x" * 200), "img src=x" + "x" * 111),
        (Unsupported(kind=""), "an object"),
    ],
)
def test_describe_says_what_a_value_is(value, noun):
    assert describe(value).noun == noun
