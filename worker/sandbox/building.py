"""Values of the border as fresh objects for student code: torch tensors, numpy arrays, plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from worker.sandbox.frames import WireError
from worker.sandbox.job import TensorBytes, Unsupported, Value
from worker.sandbox.packing import DTYPES
from worker.sandbox.plain import PlainTorch

_dtypes = {name: getattr(torch, name) for name in DTYPES}
_frombuffer, _empty = torch.frombuffer, torch.empty
_TensorBase = torch._C.TensorBase
_array_from = np.frombuffer


def build_object(value: Value) -> Any:
    """The object of a value; tensors own their memory and do not require gradients.

    Raises: WireError (`Unsupported` stands in it, or a numpy array of a dtype that numpy lacks).
    """
    # A default device or another mode that the student has set must not reach the inputs.
    with PlainTorch():
        return _build(value)


def _build(value: Value) -> Any:
    match value:
        case TensorBytes():
            return _array(value) if value.origin == "numpy" else _tensor(value)
        case list():
            return [_build(item) for item in value]
        case tuple():
            return tuple(_build(item) for item in value)
        case dict():
            return {key: _build(item) for key, item in value.items()}
        case Unsupported():
            raise WireError(f"{value.kind} is no input")
    return value


def _tensor(value: TensorBytes) -> Any:
    dtype = _dtypes[value.dtype]
    if not math.prod(value.shape):
        return _empty(value.shape, dtype=dtype, device="cpu")
    flat = _frombuffer(bytearray(value.data), dtype=dtype)
    # The clone owns its storage: a student may resize it.
    return _TensorBase.clone(_TensorBase.reshape(flat, value.shape))


def _array(value: TensorBytes) -> Any:
    if value.dtype == "bfloat16":
        raise WireError("numpy has no bfloat16")
    return _array_from(value.data, dtype=value.dtype).reshape(value.shape).copy()
