"""What a free run left, for showing: the text of its last value and its tensors, within caps."""

from __future__ import annotations

import ast
import math
from types import CodeType
from typing import Any

import torch

from worker.sandbox.attempts import Attempt
from worker.sandbox.encoding import odd_tensor
from worker.sandbox.job import TensorSummary
from worker.sandbox.modules import remember_source
from worker.sandbox.plain import PlainTorch
from worker.sandbox.results import (
    ALL_PREVIEWS_ELEMENTS,
    MAX_SUMMARIES,
    NAME_LENGTH,
    PREVIEW_DEPTH,
    PREVIEW_ELEMENTS,
    VALUE_TEXT_LENGTH,
)
from worker.sandbox.texts import clean_text, without_paths

# No identifier, so that it cannot meet a name of the student's.
LAST_VALUE = "last value"

# Larger tensors are shown without minimum, maximum and mean: these need a float64 copy.
MAX_STATISTICS_ELEMENTS = 2_000_000

# A picture of a matrix is at most so wide and so high; further elements go to further slices.
PREVIEW_SIDE = 32
# What each tensor gets when the others have used up what all may have together.
LEAST_PREVIEW_ELEMENTS = 64

_TensorBase = torch._C.TensorBase
_PlainTensor = torch.Tensor
_float64 = torch.float64
_repr = repr


def compile_keeping_last_value(source: str, file: str) -> CodeType:
    """The code of `source`, which stores the value of a last expression under `LAST_VALUE`. Raises as `compile`."""
    remember_source(file, source)
    tree = ast.parse(source, file)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        target = ast.copy_location(ast.Name(id=LAST_VALUE, ctx=ast.Store()), last)
        tree.body[-1] = ast.copy_location(ast.Assign(targets=[target], value=last.value), last)
    code: CodeType = compile(tree, file, "exec", dont_inherit=True)
    return code


def value_text(value: object) -> str | None:
    """The value as the interpreter shows it, capped; None for None."""
    if value is None:
        return None
    text = Attempt(_repr, value).value_or("(a value that cannot be shown)")
    return clean_text(without_paths(text[: 2 * VALUE_TEXT_LENGTH]), VALUE_TEXT_LENGTH)


def tensor_summaries(names: dict[str, object]) -> tuple[TensorSummary, ...]:
    """A summary of each tensor among these variables, in order, at most `MAX_SUMMARIES`; private names are left out."""
    tensors = [
        (name, value)
        for name, value in names.items()
        if isinstance(name, str) and not name.startswith("_") and is_tensor(value)
    ]
    summaries: list[TensorSummary] = []
    left = ALL_PREVIEWS_ELEMENTS
    for name, tensor in tensors[:MAX_SUMMARIES]:
        elements = max(min(left, PREVIEW_ELEMENTS), LEAST_PREVIEW_ELEMENTS)
        attempt = Attempt(_summary, name, tensor, elements)
        if attempt.error is None:
            summaries.append(attempt.value)
            left -= _count(attempt.value.preview)
    return tuple(summaries)


def is_tensor(value: object) -> bool:
    """Whether the value is a tensor, whatever its class claims to be."""
    return issubclass(type(value), _TensorBase)


def _count(preview: Any) -> int:
    return sum(_count(item) for item in preview) if isinstance(preview, list) else 1


def _summary(name: str, tensor: Any, elements: int) -> TensorSummary:
    with PlainTorch():
        return _summarise(clean_text(name, NAME_LENGTH), tensor, elements)


def _summarise(name: str, tensor: Any, elements: int) -> TensorSummary:
    shape = tuple(int(size) for size in _TensorBase.shape.__get__(tensor))
    dtype = str(_TensorBase.dtype.__get__(tensor)).removeprefix("torch.")
    if odd_tensor(tensor):
        return TensorSummary(name=name, dtype=dtype, shape=shape)
    plain = _TensorBase.detach(_TensorBase.as_subclass(tensor, _PlainTensor))
    low, high, mean = _statistics(plain)
    preview = _preview(plain, elements)
    return TensorSummary(name=name, dtype=dtype, shape=shape, min=low, max=high, mean=mean, preview=preview)


def _statistics(tensor: Any) -> tuple[float | None, float | None, float | None]:
    """Minimum, maximum and mean; nothing for tensors that are empty, complex or very large."""
    count = math.prod(_TensorBase.shape.__get__(tensor))
    if not 0 < count <= MAX_STATISTICS_ELEMENTS or _TensorBase.is_complex(tensor):
        return None, None, None
    numbers = _TensorBase.to(tensor, _float64)
    low, high = _TensorBase.aminmax(numbers)
    return float(low), float(high), float(_TensorBase.mean(numbers))


def _preview(tensor: Any, elements: int) -> Any:
    """So many leading elements: of the last two dimensions at most 32 each, then as many slices as there is room for.

    Of a tensor with more than 8 dimensions it is the first slice with 8.
    """
    if 0 in _TensorBase.shape.__get__(tensor):
        return []
    while _TensorBase.dim(tensor) > PREVIEW_DEPTH:
        tensor = _TensorBase.select(tensor, 0, 0)
    room, last = elements, _TensorBase.dim(tensor) - 1
    for dimension in range(last, -1, -1):
        is_of_matrix = last > 0 and dimension >= last - 1
        most = min(room, PREVIEW_SIDE) if is_of_matrix else room
        length = min(_TensorBase.size(tensor, dimension), max(most, 1))
        tensor = _TensorBase.narrow(tensor, dimension, 0, length)
        room //= length
    return _shown(_TensorBase.tolist(tensor))


def _shown(items: Any) -> Any:
    """Nested lists of numbers; complex ones as text."""
    if isinstance(items, list):
        return [_shown(item) for item in items]
    return str(items) if isinstance(items, complex) else items
