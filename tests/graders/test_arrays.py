import math
from fractions import Fraction

import numpy as np
import pytest

from graders.arrays import DTYPES, Array, Unsupported, from_bytes, in_float64, nearest_float, python_number, to_bytes
from graders.errors import GraderError
from graders.tolerances import DEFAULTS


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"])
def test_from_bytes_of_integers_keeps_every_bit(dtype):
    values = np.array([np.iinfo(dtype).min, 0, np.iinfo(dtype).max], dtype=dtype)

    array = from_bytes(dtype, (3,), values.tobytes())

    assert array.values.tolist() == values.tolist()
    assert array.kind == "integer"
    assert array.is_exact


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_from_bytes_of_floats_keeps_every_bit(dtype):
    values = np.array([[1.5, -0.0], [np.nan, np.inf]], dtype=dtype)

    array = from_bytes(dtype, (2, 2), values.tobytes(), origin="numpy")

    assert array.values.tobytes() == values.tobytes()
    assert array.origin == "numpy"
    assert not array.is_exact


def test_from_bytes_of_bfloat16_is_widened():
    array = from_bytes("bfloat16", (3,), np.array([0x3F80, 0xC049, 0x7F80], dtype="<u2").tobytes())

    assert array.values.tolist() == [1.0, -3.140625, np.inf]
    assert array.dtype == "bfloat16"
    assert array.kind == "float"


def test_from_bytes_of_complex32_is_widened():
    array = from_bytes("complex32", (1,), np.array([1.5, -2.0], dtype="<f2").tobytes())

    assert array.values.tolist() == [1.5 - 2j]
    assert array.kind == "complex"


def test_from_bytes_of_bool_takes_every_other_byte_for_true():
    array = from_bytes("bool", (3,), bytes([0, 1, 2]))

    assert array.values.tolist() == [False, True, True]
    assert array.kind == "bool"


def test_from_bytes_of_a_scalar_and_of_nothing():
    assert from_bytes("float32", (), np.float32(2).tobytes()).shape == ()
    assert from_bytes("float32", (0, 3), b"").shape == (0, 3)


def test_from_bytes_of_an_unknown_dtype_is_unsupported():
    assert from_bytes("float8_e5m2", (1,), b"\0") == Unsupported(kind="a tensor of dtype float8_e5m2")


@pytest.mark.parametrize("shape", [(3,), (-1,), (-1, -4)])
def test_from_bytes_of_another_length_is_refused(shape):
    with pytest.raises(GraderError, match="other than the 4 bytes"):
        from_bytes("uint8", shape, b"abcd")


@pytest.mark.parametrize(
    ("value", "dtype", "kind"),
    [(True, "bool", "bool"), (3, "int", "integer"), (0.5, "float", "float"), (1j, "complex", "complex")],
)
def test_python_number_is_a_scalar_of_its_kind(value, dtype, kind):
    array = python_number(value)

    assert (array.dtype, array.kind, array.shape, array.origin) == (dtype, kind, (), "python")
    assert array.values.item() == value


def test_python_number_of_any_size_stays_exact():
    assert python_number(2**63).values.item() == 2**63
    assert python_number(-(2**63) + 1).values.dtype == np.int64


def test_in_float64_of_too_large_integers_is_infinite():
    assert in_float64(python_number(10**400)) == np.inf
    assert in_float64(python_number(-(10**400))) == -np.inf
    assert in_float64(python_number(2**70)) == 2.0**70


def test_nearest_float_of_what_is_too_large_is_infinite():
    assert nearest_float(2**1024) == math.inf
    assert nearest_float(Fraction(-(10**400), 3)) == -math.inf
    assert [nearest_float(value) for value in (3, True, 0.5, Fraction(1, 4))] == [3.0, 1.0, 0.5, 0.25]
    assert math.isnan(nearest_float(math.nan))


def test_in_float64_of_complex_is_complex128():
    assert in_float64(Array(dtype="complex64", values=np.array([1j], dtype=np.complex64))).dtype == np.complex128


def test_every_tolerance_is_for_a_known_dtype():
    assert set(DEFAULTS) - {"float", "complex"} <= DTYPES


@pytest.mark.parametrize(
    ("dtype", "data"),
    [
        ("bfloat16", b"\xc0\x3f\x00\x40"),
        ("float16", b"\x00\x3c"),
        ("complex32", b"\x00\x3c\x00\x40"),
        ("bool", b"\x01\x00"),
        ("int64", b"\x01" * 8),
        ("complex128", bytes(range(16))),
    ],
)
def test_bytes_survive_the_way_to_numbers_and_back(dtype, data):
    size = {"bfloat16": 2, "bool": 1, "float16": 2, "complex32": 4, "int64": 8, "complex128": 16}[dtype]

    assert to_bytes(from_bytes(dtype, (len(data) // size,), data)) == data
