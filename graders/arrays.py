"""Values as the graders see them: numbers, texts, containers, and arrays made of received bytes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, Union

import numpy as np

from graders.errors import GraderError

Numbers = np.ndarray[Any, np.dtype[Any]]
Kind = Literal["bool", "integer", "float", "complex"]

# How the bytes of each dtype of torch are read, and what kind of number it holds.
_BYTES: Final[dict[str, tuple[str, Kind]]] = {
    "bool": ("u1", "bool"),
    "uint8": ("u1", "integer"),
    "uint16": ("<u2", "integer"),
    "uint32": ("<u4", "integer"),
    "uint64": ("<u8", "integer"),
    "int8": ("i1", "integer"),
    "int16": ("<i2", "integer"),
    "int32": ("<i4", "integer"),
    "int64": ("<i8", "integer"),
    "float16": ("<f2", "float"),
    "bfloat16": ("<u2", "float"),
    "float32": ("<f4", "float"),
    "float64": ("<f8", "float"),
    "complex32": ("<f2", "complex"),
    "complex64": ("<c8", "complex"),
    "complex128": ("<c16", "complex"),
}
_PYTHON_KINDS: Final[dict[str, Kind]] = {"int": "integer", "float": "float", "complex": "complex"}

DTYPES: Final = frozenset(_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Array:
    """Numbers of one dtype, named as in torch; `values` holds them exactly, half precisions that numpy lacks widened.

    `origin` says what the returned object was. A Python number is an array of shape () with origin "python" and dtype
    `bool`, `int`, `float` or `complex`.
    """

    dtype: str
    values: Numbers
    origin: Literal["torch", "numpy", "python"] = "torch"

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.values.shape
        return shape

    @property
    def kind(self) -> Kind:
        """What its numbers are: bool, integer, float or complex."""
        return _PYTHON_KINDS[self.dtype] if self.dtype in _PYTHON_KINDS else _BYTES[self.dtype][1]

    @property
    def is_exact(self) -> bool:
        """Whether its numbers are compared exactly: integers and booleans."""
        return self.kind in ("bool", "integer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """In place of a returned object that is no value; `kind` says in words what it was ("a sparse tensor")."""

    kind: str


Value = Union[  # noqa: UP007  (a forward reference inside `|` is no type at run time)
    Array, Unsupported, int, float, complex, str, bool, None,
    list["Value"], tuple["Value", ...], dict[str, "Value"],
]  # fmt: skip


def from_bytes(
    dtype: str, shape: tuple[int, ...], data: bytes, *, origin: Literal["torch", "numpy"] = "torch"
) -> Array | Unsupported:
    """The array whose little-endian bytes in C order are `data`; a dtype that is not known here gives `Unsupported`.

    Raises:
        GraderError: the bytes are not as many as dtype and shape need.
    """
    if dtype not in _BYTES:
        return Unsupported(kind=f"a tensor of dtype {dtype}")
    form = np.dtype(_BYTES[dtype][0])
    size = form.itemsize * (2 if dtype == "complex32" else 1)
    if any(length < 0 for length in shape) or math.prod(shape) * size != len(data):
        raise GraderError(f"{dtype} of shape {list(shape)} needs other than the {len(data)} bytes given")
    return Array(dtype=dtype, values=_widened(dtype, np.frombuffer(data, dtype=form)).reshape(shape), origin=origin)


def to_bytes(array: Array) -> bytes:
    """The bytes of an array of `from_bytes`: little-endian, in C order, widened half precisions narrowed again."""
    if array.dtype == "bfloat16":
        return (array.values.astype(np.float32).view(np.uint32) >> 16).astype("<u2").tobytes()
    if array.dtype == "complex32":
        return array.values.astype(np.complex64).view(np.float32).astype("<f2").tobytes()
    return array.values.astype(_BYTES[array.dtype][0]).tobytes()


def python_number(value: complex) -> Array:
    """A Python number (bool, int, float or complex) as an array of shape (); integers of any size stay exact."""
    dtype = type(value).__name__
    small = dtype != "int" or abs(value) < 2**63
    return Array(dtype=dtype, values=np.array(value, dtype=None if small else object), origin="python")


def in_float64(array: Array) -> Numbers:
    """The numbers as float64, or as complex128 where they are complex; same shape. Too large integers are infinite.

    Where they are so already it is the very array, which is not to be changed.
    """
    if array.values.dtype == object:
        return np.array(nearest_float(array.values.item()))
    # What was never written may hold NaN of a kind that a cast complains of.
    with np.errstate(invalid="ignore"):
        return array.values.astype(np.complex128 if array.kind == "complex" else np.float64, copy=False)


def nearest_float(value: float | Fraction) -> float:
    """The number as a float; infinite where that is an integer or a fraction too large for one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def difference(actual: Array, expected: Array) -> Numbers:
    """Actual − expected as float64 or complex128, same shape; of integers taken exactly, and then rounded."""
    if {actual.values.dtype.kind, expected.values.dtype.kind} <= {"i", "u"}:
        return _exact_difference(actual.values, expected.values)
    if actual.kind == expected.kind == "integer":
        exact = actual.values.astype(object) - expected.values.astype(object)
        return np.asarray(np.vectorize(nearest_float, otypes=[np.float64])(exact))
    with np.errstate(all="ignore"):
        return np.asarray(in_float64(actual) - in_float64(expected))


def _exact_difference(actual: Numbers, expected: Numbers) -> Numbers:
    """That of integers of 64 bits at most: modulo 2^64 the larger minus the smaller is exact.

    Between one that is negative and one without a sign there may be 2^64 more.
    """
    ours, theirs = expected.astype(np.int64).view(np.uint64), actual.astype(np.int64).view(np.uint64)
    is_larger = actual >= expected
    modulo = np.where(is_larger, theirs - ours, ours - theirs)
    gap = modulo.astype(np.float64)
    if actual.dtype.kind != expected.dtype.kind:
        signed, unsigned = (expected, actual) if actual.dtype.kind == "u" else (actual, expected)
        gap = gap + 2.0**64 * ((signed < 0) & (modulo < unsigned))
    return np.asarray(np.where(is_larger, gap, -gap))


def _widened(dtype: str, raw: Numbers) -> Numbers:
    if dtype == "bool":
        return raw.astype(np.bool_)
    if dtype == "bfloat16":
        return (raw.astype(np.uint32) << 16).view(np.float32)
    if dtype == "complex32":
        return raw.astype(np.float32).view(np.complex64)
    return raw
