"""Objects of a student's run as values of the border, reached by base-class calls only.

Nothing here asks the object for its opinion: subclasses of tensors, arrays, containers and numbers are read through the
methods of their base class, and sizes are checked before any copy is made.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from worker.sandbox.attempts import Attempt
from worker.sandbox.job import TensorBytes, Unsupported, Value
from worker.sandbox.packing import DTYPES, MAX_DIMENSION, MAX_RANK, MAX_TENSORS
from worker.sandbox.plain import PlainTorch
from worker.sandbox.tracebacks import type_name
from worker.sandbox.values import MAX_DEPTH, MAX_INTEGER_BITS, MAX_NODES, MAX_TEXT

_TensorBase = torch._C.TensorBase
_PlainTensor = torch.Tensor
_Module = torch.nn.Module
_int16 = torch.int16
_strided = torch.strided
_as_array = np.ndarray.view
_contiguous = np.ascontiguousarray
_dtype_names = {getattr(torch, name): name for name in DTYPES}
_classes_of = type.__dict__["__mro__"].__get__
_names_of = type.__dict__["__dict__"].__get__

# Kinds that are told by words of their own; others are told by the name of their class.
_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (types.GeneratorType, "a generator"),
    (types.CoroutineType, "a coroutine (an `async` function was called without `await`)"),
    (types.AsyncGeneratorType, "an asynchronous generator"),
    (types.ModuleType, "an imported module"),
    ((types.FunctionType, types.BuiltinFunctionType, types.MethodType), "a function"),
    (type(Ellipsis), "Ellipsis (`...`)"),
    (torch.dtype, "a dtype"),
    (torch.device, "a device"),
    ((set, frozenset), "a set"),
    ((bytes, bytearray), "bytes"),
    (range, "a range"),
    (type, "a class"),
)


class _TooLargeError(Exception):
    """The value as a whole is over a cap; the text says which."""


def encode_object(value: object, *, result_bytes: int) -> Value:
    """The value of an object, at most `result_bytes` of tensor data. What is no value becomes `Unsupported`.

    Never raises: an object whose parts cannot be read is `Unsupported` too.
    """
    return Encoder(bytes_left=result_bytes, result_bytes=result_bytes).value_of(value)


@dataclass(slots=True)
class Encoder:
    """Counts what one result, which may have several parts, has used so far."""

    bytes_left: int
    result_bytes: int
    nodes: int = 0
    tensors: int = 0

    def value_of(self, value: object) -> Value:
        """The value of an object, within what is left. What is no value becomes `Unsupported`. Never raises."""
        attempt = Attempt(self._encode_plainly, value)
        if isinstance(attempt.error, _TooLargeError):
            return Unsupported(kind=str(attempt.error))
        return attempt.value_or(Unsupported(kind=Attempt(_kind, value).value_or("an unreadable object")))

    def _encode_plainly(self, value: object) -> Value:
        with PlainTorch():
            return self.encode(value, 0)

    def encode(self, value: Any, depth: int) -> Value:
        """The value of an object at this depth, within `PlainTorch`. Raises where it is over a cap or unreadable."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise _TooLargeError(f"a value of more than {MAX_NODES:,} parts")
        if depth > MAX_DEPTH:
            raise _TooLargeError(f"a container nested deeper than {MAX_DEPTH} levels, or one that contains itself")
        kind = type(value)
        if issubclass(kind, _TensorBase):
            return self._tensor(value)
        if issubclass(kind, np.generic):
            return self._array(np.asarray(value))
        if issubclass(kind, np.ndarray):
            return self._array(_as_array(value, np.ndarray))
        if issubclass(kind, list | tuple | dict):
            return self._container(value, depth)
        return _plain(value)

    def _container(self, value: Any, depth: int) -> Value:
        kind = type(value)
        if issubclass(kind, dict):
            odd = [key for key in dict.keys(value) if not issubclass(type(key), str)]
            if odd:
                return Unsupported(kind=f"a dictionary with a key of type `{type_name(odd[0])}` (keys must be strings)")
            return {_text(key): self.encode(item, depth + 1) for key, item in dict.items(value)}
        if issubclass(kind, list):
            return [self.encode(item, depth + 1) for item in list.__iter__(value)]
        return tuple(self.encode(item, depth + 1) for item in tuple.__iter__(value))

    def _tensor(self, tensor: Any) -> Value:
        odd = odd_tensor(tensor)
        if odd:
            return Unsupported(kind=odd)
        shape = tuple(int(size) for size in _TensorBase.shape.__get__(tensor))
        dtype = _TensorBase.dtype.__get__(tensor)
        refusal = self._charge(shape, item_bytes=dtype.itemsize, what=f"a tensor of shape {shape}")
        if refusal is not None:
            return refusal
        return TensorBytes(dtype=_dtype_names[dtype], shape=shape, data=tensor_bytes(tensor))

    def _array(self, array: np.ndarray[Any, Any]) -> Value:
        name = array.dtype.name
        if name not in _dtype_names.values() or array.dtype.kind not in "biufc":
            return Unsupported(kind=f"a numpy array of dtype {str(array.dtype)[:40]}")
        refusal = self._charge(array.shape, item_bytes=array.dtype.itemsize, what=f"an array of shape {array.shape}")
        if refusal is not None:
            return refusal
        plain = _contiguous(array.astype(array.dtype.newbyteorder("<"), copy=False))
        data = _booleans(plain.tobytes()) if name == "bool" else plain.tobytes()
        return TensorBytes(dtype=name, shape=array.shape, data=data, origin="numpy")

    def _charge(self, shape: tuple[int, ...], *, item_bytes: int, what: str) -> Unsupported | None:
        """Takes the logical size from what is left; the words for it where it does not fit."""
        size = math.prod(shape) * item_bytes
        self.tensors += 1
        if self.tensors > MAX_TENSORS:
            raise _TooLargeError(f"a value with more than {MAX_TENSORS} tensors")
        if len(shape) > MAX_RANK:
            return Unsupported(kind=f"a tensor of {len(shape)} dimensions (at most {MAX_RANK} can be returned)")
        if size > self.bytes_left or any(length > MAX_DIMENSION for length in shape):
            return Unsupported(kind=f"{what}, too large: all of a result may take {self.result_bytes:,} bytes")
        self.bytes_left -= size
        return None


def odd_tensor(tensor: Any) -> str:
    """In words, why a tensor has no dense bytes that could be read; "" where it has. Called within `PlainTorch`."""
    layout, device = _TensorBase.layout.__get__(tensor), _TensorBase.device.__get__(tensor)
    dtype = _TensorBase.dtype.__get__(tensor)
    if _TensorBase.is_nested.__get__(tensor):
        return "a nested tensor"
    if layout is not _strided:
        return f"a sparse tensor ({layout}); a dense one is expected"
    if _TensorBase.is_quantized.__get__(tensor):
        return "a quantised tensor"
    if device.type != "cpu":
        return f"a tensor on the device {device.type!r}, which holds no data here"
    if dtype not in _dtype_names:
        return f"a tensor of dtype {dtype}"
    # Wrapping subclasses and emptied storages: reading them would end the process.
    if _TensorBase.numel(tensor) and _TensorBase.data_ptr(_TensorBase.as_subclass(tensor, _PlainTensor)) == 0:
        return "a tensor without data of its own"
    return ""


def tensor_bytes(tensor: Any) -> bytes:
    """The elements of a dense CPU tensor in C order, gradients left behind, lazy signs and conjugates done.

    Called within `PlainTorch`, for tensors that `odd_tensor` finds nothing odd in.
    """
    plain = _TensorBase.detach(_TensorBase.as_subclass(tensor, _PlainTensor))
    plain = _TensorBase.contiguous(_TensorBase.resolve_neg(_TensorBase.resolve_conj(plain)))
    if _TensorBase.dtype.__get__(plain) is torch.bfloat16:
        plain = _TensorBase.view(plain, _int16)
    data = _TensorBase.numpy(plain).tobytes()
    return _booleans(data) if _TensorBase.dtype.__get__(plain) is torch.bool else bytes(data)


# Reinterpreted bytes may make a boolean of 2; the wire allows 0 and 1.
_AS_BOOLEANS = bytes([0, *[1] * 255])


def _booleans(data: bytes) -> bytes:
    return data.translate(_AS_BOOLEANS)


def _plain(value: Any) -> Value:
    kind = type(value)
    if value is None or kind is bool:
        return value  # type: ignore[no-any-return]  # plain by its class
    for base, convert in _PLAIN:
        if issubclass(kind, base):
            return convert(value)
    return Unsupported(kind=Attempt(_kind, value).value_or("an unreadable object"))


def _text(value: str) -> str:
    return str.encode(value, "utf-8", "replace").decode("utf-8")


def _short_text(value: str) -> Value:
    if str.__len__(value) > MAX_TEXT:
        return Unsupported(kind=f"text of {str.__len__(value):,} characters (at most {MAX_TEXT:,} can be returned)")
    return _text(value)


def _short_integer(value: int) -> Value:
    bits = int.bit_length(value)
    if bits > MAX_INTEGER_BITS:
        return Unsupported(kind=f"an integer of {bits:,} bits (at most {MAX_INTEGER_BITS} can be returned)")
    return int.__pos__(value)


_PLAIN: tuple[tuple[type, Callable[[Any], Value]], ...] = (
    (int, _short_integer),
    (float, float.__pos__),
    (complex, complex.__pos__),
    (str, _short_text),
)


def _kind(value: object) -> str:
    kind = type(value)
    for base, words in _KINDS:
        if issubclass(kind, base):
            return words
    name = type_name(value)[:80]
    if issubclass(kind, _Module):
        return f"a module object of class `{name}` (not what it computes)"
    if any("__next__" in _names_of(base) for base in _classes_of(kind)):
        return f"an iterator (`{name}`)"
    return f"an object of class `{name}`"


def encode_named(values: dict[str, object], *, result_bytes: int) -> dict[str, Value]:
    """A value for each object, as `encode_object` makes them, within one cap for all."""
    encoded = encode_object(values, result_bytes=result_bytes)
    if isinstance(encoded, dict):
        return encoded
    words = encoded if isinstance(encoded, Unsupported) else Unsupported(kind="an unreadable value")
    return {name: replace(words) for name in values}
