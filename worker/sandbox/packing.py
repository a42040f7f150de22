"""Tensors as safetensors bytes, written and read by our own code: every cap is checked before anything is made.

The stock loader takes seconds for a header of 200,000 empty tensors and raises KeyError or OverflowError for odd
dtypes and shapes; this one refuses by WireError alone. Names are "0", "1", … in order, and the data stand in that order
without gaps. Source: the safetensors format page. It has no complex128: such a tensor is stored as F64 with a last
dimension of 2, and the tree that names the tensors says which dtype is meant.
"""

from __future__ import annotations

import math
from typing import Any

from worker.sandbox.frames import KIBIBYTE, WireError, dump_json, load_json
from worker.sandbox.job import TensorBytes

HEADER_BYTES = 64 * KIBIBYTE
MAX_TENSORS = 512
MAX_RANK = 8
MAX_DIMENSION = 2**31 - 1
_LENGTH_BYTES = 8

# torch's name of the dtype -> (tag in the file, bytes per element, numbers of that tag per element).
_DTYPES = {
    "bool": ("BOOL", 1, 1),
    "uint8": ("U8", 1, 1),
    "uint16": ("U16", 2, 1),
    "uint32": ("U32", 4, 1),
    "uint64": ("U64", 8, 1),
    "int8": ("I8", 1, 1),
    "int16": ("I16", 2, 1),
    "int32": ("I32", 4, 1),
    "int64": ("I64", 8, 1),
    "float16": ("F16", 2, 1),
    "bfloat16": ("BF16", 2, 1),
    "float32": ("F32", 4, 1),
    "float64": ("F64", 8, 1),
    "complex64": ("C64", 8, 1),
    "complex128": ("F64", 16, 2),
}
DTYPES = tuple(_DTYPES)


def item_bytes(dtype: str) -> int:
    """Bytes of one element. Raises: WireError (no dtype of the wire)."""
    if dtype not in _DTYPES:
        raise WireError(f"expected a dtype of {', '.join(DTYPES)}, found {dtype[:40]!r}")
    return _DTYPES[dtype][1]


def check_tensor(tensor: TensorBytes) -> None:
    """Nothing. Raises: WireError (dtype, rank, a dimension, the byte length or a boolean byte is not allowed)."""
    if len(tensor.shape) > MAX_RANK:
        raise WireError(f"a tensor has {len(tensor.shape)} dimensions, at most {MAX_RANK} are allowed")
    if any(not 0 <= size <= MAX_DIMENSION for size in tensor.shape):
        raise WireError("a dimension is out of range")
    if len(tensor.data) != math.prod(tensor.shape) * item_bytes(tensor.dtype):
        raise WireError("the bytes of a tensor do not fit its shape and dtype")
    if tensor.dtype == "bool" and tensor.data.translate(None, b"\x00\x01"):
        raise WireError("a boolean byte is neither 0 nor 1")


def pack(tensors: list[TensorBytes]) -> bytes:
    """The safetensors bytes of these tensors; b"" for none. Raises: WireError (over a cap)."""
    if not tensors:
        return b""
    if len(tensors) > MAX_TENSORS:
        raise WireError(f"{len(tensors)} tensors, at most {MAX_TENSORS} are allowed")
    entries: dict[str, Any] = {}
    end = 0
    for index, tensor in enumerate(tensors):
        check_tensor(tensor)
        tag, _, numbers = _DTYPES[tensor.dtype]
        shape = [*tensor.shape, numbers] if numbers > 1 else list(tensor.shape)
        start, end = end, end + len(tensor.data)
        entries[str(index)] = {"dtype": tag, "shape": shape, "data_offsets": [start, end]}
    header = dump_json(entries)
    header += b" " * (-len(header) % _LENGTH_BYTES)
    if len(header) > HEADER_BYTES:
        raise WireError(f"the names and shapes of the tensors take {len(header)} bytes, at most {HEADER_BYTES}")
    length = len(header).to_bytes(_LENGTH_BYTES, "little")
    return b"".join((length, header, *(tensor.data for tensor in tensors)))


def unpack(data: bytes, dtypes: list[str]) -> list[TensorBytes]:
    """The tensors in `data`: as many as `dtypes`, and of those dtypes. Raises: WireError (anything else)."""
    if not dtypes:
        if data:
            raise WireError("tensor bytes that nothing names")
        return []
    if len(dtypes) > MAX_TENSORS:
        raise WireError(f"{len(dtypes)} tensors, at most {MAX_TENSORS} are allowed")
    entries, start = _header(data)
    if entries.keys() != {str(index) for index in range(len(dtypes))}:
        raise WireError("the names of the tensors are not the expected ones")
    tensors = []
    for index, dtype in enumerate(dtypes):
        shape, size = _entry(entries[str(index)], dtype, position=start - _first_byte(data))
        tensors.append(TensorBytes(dtype=dtype, shape=shape, data=data[start : start + size]))
        check_tensor(tensors[-1])
        start += size
    if start != len(data):
        raise WireError("bytes after the last tensor")
    return tensors


def _first_byte(data: bytes) -> int:
    return _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")


def _header(data: bytes) -> tuple[dict[str, Any], int]:
    """The entries by name, and where the data begin."""
    if len(data) < _LENGTH_BYTES:
        raise WireError("tensor bytes without a header")
    start = _first_byte(data)
    if start - _LENGTH_BYTES > HEADER_BYTES or start > len(data):
        raise WireError("the header of the tensors is longer than allowed")
    entries = load_json(data[_LENGTH_BYTES:start])
    if not isinstance(entries, dict):
        raise WireError("expected a JSON object as header of the tensors")
    return entries, start


def _entry(entry: object, dtype: str, *, position: int) -> tuple[tuple[int, ...], int]:
    """Shape and byte length of one tensor, whose data must begin at `position`."""
    item_bytes(dtype)
    tag, width, numbers = _DTYPES[dtype]
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise WireError("expected dtype, shape and data_offsets of a tensor")
    if entry["dtype"] != tag:
        raise WireError(f"expected the tag {tag} for {dtype}")
    shape = _integers(entry["shape"], most=MAX_RANK + 1)
    if numbers > 1:
        if shape[-1:] != (numbers,):
            raise WireError(f"expected a last dimension of {numbers} for {dtype}")
        shape = shape[:-1]
    if any(size > MAX_DIMENSION for size in shape):
        raise WireError("a dimension is out of range")
    size = math.prod(shape) * width
    if _integers(entry["data_offsets"], most=2) != (position, position + size):
        raise WireError("the bytes of a tensor overlap, leave a gap or do not fit its shape")
    return shape, size


def _integers(value: object, *, most: int) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > most:
        raise WireError(f"expected a list of at most {most} integers")
    if any(type(item) is not int or item < 0 for item in value):
        raise WireError("expected integers from 0")
    return tuple(value)
