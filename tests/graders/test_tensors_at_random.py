"""Random right outputs stay right under what must not matter; a random change beyond tolerance is always found."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from graders.arrays import Array
from graders.comparisons import Comparison
from graders.outcomes import Stage
from graders.tensors import compare
from graders.tolerances import default_tolerance

AT_RANDOM = settings(deadline=None, max_examples=100, database=None)

SHAPES = arrays_of.array_shapes(min_dims=0, max_dims=4, min_side=1, max_side=5)
NAMES = st.text(alphabet="abcdef._0123", min_size=1, max_size=6)


@st.composite
def arrays(draw, dtypes=("float32", "float64", "float16", "int64", "uint8", "bool", "complex64")):
    dtype = draw(st.sampled_from(dtypes))
    kind = np.dtype(dtype).kind
    elements = {
        "f": st.floats(-1000, 1000, width=16),
        "c": st.complex_numbers(max_magnitude=1000, allow_subnormal=False, width=64),
        "i": st.integers(-(2**63), 2**63 - 1),
        "u": st.integers(0, 255),
        "b": st.booleans(),
    }[kind]
    return Array(dtype=dtype, values=draw(arrays_of.arrays(dtype, draw(SHAPES), elements=elements)))


VALUES = st.recursive(
    arrays() | st.booleans() | st.integers() | st.floats(-1e6, 1e6) | st.text(max_size=5) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
FLOATS = arrays(dtypes=("float32", "float64", "float16"))


def rearranged(value):
    """The same value in another memory layout, other order of names, other kind of sequence."""
    if isinstance(value, Array):
        strided = np.repeat(value.values[..., None], 2, axis=-1)[..., 0] if value.values.ndim else value.values
        return Array(dtype=value.dtype, values=np.array(strided, order="F"))
    if isinstance(value, dict):
        return {name: rearranged(value[name]) for name in reversed(value)}
    if isinstance(value, list):
        return tuple(rearranged(item) for item in value)
    return value


def moved(array, index, amount):
    values = array.values.astype(np.float64)
    values[index] += amount
    return Array(dtype="float64", values=values)


def any_index(data, array):
    return tuple(data.draw(st.integers(0, length - 1)) for length in array.shape)


@AT_RANDOM
@given(VALUES)
def test_every_value_agrees_with_itself_rearranged(value):
    assert compare(rearranged(value), value) is None


@AT_RANDOM
@given(FLOATS, st.data())
def test_a_change_beyond_tolerance_is_found_where_it_is(expected, data):
    index = any_index(data, expected)
    rtol, atol = default_tolerance(expected.dtype)
    step = (atol + rtol * abs(float(expected.values[index]))) * data.draw(st.floats(1.5, 1e6))

    mismatch = compare(
        moved(expected, index, data.draw(st.sampled_from([step, -step]))), expected, Comparison(dtypes="kind")
    )

    assert mismatch.stage == Stage.VALUES
    assert mismatch.worst.index == index
    assert mismatch.wrong == 1


@AT_RANDOM
@given(FLOATS, st.data())
def test_noise_within_tolerance_never_matters(expected, data):
    rtol, atol = default_tolerance(expected.dtype)
    noise = data.draw(arrays_of.arrays(np.float64, expected.shape, elements=st.floats(-0.95, 0.95)))
    exact = expected.values.astype(np.float64)
    actual = Array(dtype="float64", values=exact + noise * (atol + rtol * np.abs(exact)))

    assert compare(actual, expected, Comparison(dtypes="kind")) is None


@AT_RANDOM
@given(arrays(dtypes=("int64", "uint8", "bool")), st.data())
def test_any_change_of_an_integer_is_found(expected, data):
    index = any_index(data, expected)
    values = expected.values.copy()
    values[index] ^= np.array(1, dtype=values.dtype)

    mismatch = compare(Array(dtype=expected.dtype, values=values), expected)

    assert mismatch.stage == Stage.VALUES
    assert mismatch.worst.index == index


@AT_RANDOM
@given(FLOATS, st.sampled_from([math.nan, math.inf, -math.inf]), st.data())
def test_any_value_that_is_no_number_is_found(expected, odd, data):
    index = any_index(data, expected)
    values = expected.values.copy()
    values[index] = odd
    changed = Array(dtype=expected.dtype, values=values)

    assert compare(changed, expected).stage == Stage.NAN
    assert compare(expected, changed).stage == Stage.NAN
    assert compare(changed, changed, Comparison(equal_nan=True)) is None


@AT_RANDOM
@given(arrays(), st.data())
def test_another_shape_of_the_same_numbers_is_found(expected, data):
    axis = data.draw(st.integers(0, expected.values.ndim))
    wider = Array(dtype=expected.dtype, values=np.expand_dims(expected.values, axis))

    assert compare(wider, expected).stage == Stage.SHAPE
    assert compare(expected, wider).stage == Stage.SHAPE


@AT_RANDOM
@given(st.dictionaries(NAMES, FLOATS, min_size=1, max_size=4), st.data())
def test_a_change_deep_inside_is_found_by_its_path(expected, data):
    name = data.draw(st.sampled_from(sorted(expected)))
    index = any_index(data, expected[name])
    actual = {
        other: moved(array, (), 0.0) if other != name else moved(array, index, 5000.0)
        for other, array in expected.items()
    }

    mismatch = compare({"state": [actual]}, {"state": [expected]}, Comparison(dtypes="kind"))

    assert mismatch.path == f'["state"][0]["{name}"]'
    assert mismatch.others == ()


@AT_RANDOM
@given(st.dictionaries(NAMES, FLOATS, min_size=1, max_size=4), st.data())
def test_a_missing_or_additional_name_is_found(expected, data):
    name = data.draw(st.sampled_from(sorted(expected)))
    fewer = {other: array for other, array in expected.items() if other != name}

    assert compare(fewer, expected).stage == Stage.STRUCTURE
    assert compare(expected, fewer).stage == Stage.STRUCTURE
