"""What a call tells beside its output: its arguments afterwards, and gradients found by a second call.

All of it is reported as values; nothing here knows what is right.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from worker.sandbox.attempts import Attempt
from worker.sandbox.binding import ENTRY_ERROR, Bound, Entry, bind_call, call_error, parameter_names
from worker.sandbox.encoding import Encoder
from worker.sandbox.job import Probes, StudentError, Value
from worker.sandbox.modules import SOLUTION
from worker.sandbox.pipes import Silence
from worker.sandbox.plain import PlainTorch
from worker.sandbox.results import error_json
from worker.sandbox.tracebacks import student_error, type_name

_MOST_OPERATORS = 500

_TensorBase = torch._C.TensorBase
_PlainTensor = torch.Tensor
_Module = torch.nn.Module
_Generator = torch.Generator
_grad, _randn, _complex, _float64 = torch.autograd.grad, torch.randn, torch.complex, torch.float64
_named_parameters = torch.nn.Module.named_parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedCall:
    """A call of an entry, and what is to be told beside its output."""

    entry: Entry
    inputs: dict[str, Any]
    probes: Probes


def probed_value(
    output: object, bound: Bound, *, made: ProbedCall, noted: dict[str, Value], result_bytes: int
) -> Value:
    """The output of a call with what its probes ask for, in one dict within one cap; `noted` is what the call left.

    Where the second call raises, `gradients` is a dict with the error as `raised`; else a tuple, one for each place:
    a tensor, or None where nothing of the output depends on it; a list of these for an argument that is a container, an
    empty one for an argument that is not given.
    """
    probes = made.probes
    encoder = Encoder(bytes_left=result_bytes, result_bytes=result_bytes)
    found: dict[str, Value] = {"output": encoder.value_of(output)}
    found |= {name: value for name, value in noted.items() if getattr(probes, name)}
    if probes.inputs:
        found["inputs"] = encoder.value_of((tuple(bound.arguments), bound.options))
    if probes.parameters:
        found["parameters"] = tuple(parameter_names(made.entry.function))
    if probes.gradients:
        gradients = _gradients(made)
        if isinstance(gradients, StudentError):
            found["gradients"] = {"raised": error_json(gradients)}
        else:
            found["gradients"] = encoder.value_of(gradients)
    return found


class Operators(TorchDispatchMode):
    """A context in which the operators that are dispatched are noted, by name (`aten::mm`), each once."""

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[str, None] = {}

    @property
    def names(self) -> list[str]:
        """Those noted so far, in order, at most 500."""
        return list(self._names)[:_MOST_OPERATORS]

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Notes the operator and runs it."""
        self._names[func.name().partition(".")[0]] = None
        return func(*args, **(kwargs or {}))


def _gradients(made: ProbedCall) -> tuple[Any, ...] | StudentError:
    """The gradients at each place, of a call with fresh objects that require them; or what that call raised."""
    with contextlib.redirect_stdout(Silence()), contextlib.redirect_stderr(Silence()):
        entry, probes = made.entry, made.probes
        bound = bind_call(entry, inputs=made.inputs)
        if isinstance(bound, StudentError):
            return bound
        leaves = Attempt(_leaves, entry.function, bound, probes.gradients)
        if leaves.error is not None:
            return StudentError(type=ENTRY_ERROR, message=str(leaves.error))
        call = Attempt(bound.call)
        if call.error is not None:
            return call_error(call.error, entry.name, arguments=bound.arguments, options=bound.options)
        found = Attempt(_differentiate, call.value, leaves.value, probes.seed)
    return student_error(found.error, SOLUTION) if found.error is not None else found.value


def _leaves(entry: Any, bound: Bound, places: tuple[int | str, ...]) -> list[Any]:
    """For each place the leaf, or the list of leaves, whose gradient is asked for; the call gets copies of them.

    Copies, since a leaf cannot be changed in place: that is for another probe to find. Raises: ValueError.
    """
    names = parameter_names(entry)
    found = []
    for place in places:
        where = names.index(place) if place in names and place not in bound.options else place
        if isinstance(where, str):
            leaf = _leaf_of_name(bound, where)
        elif where < len(bound.arguments):
            leaf, bound.arguments[where] = _leaf_and_copy(bound.arguments[where], place)
        else:
            leaf = []
        found.append(leaf)
    return found


def _leaf_of_name(bound: Bound, name: str) -> Any:
    """The leaf of a keyword argument, or a module's parameter."""
    if name in bound.options:
        leaf, bound.options[name] = _leaf_and_copy(bound.options[name], name)
        return leaf
    parameters = dict(_named_parameters(bound.function)) if isinstance(bound.function, _Module) else {}
    if name not in parameters:
        raise ValueError(f"expected the argument or parameter {name!r}, found none")
    return parameters[name]


def _leaf_and_copy(value: Any, place: int | str) -> tuple[Any, Any]:
    """The leaf in a tensor, or the list of those in a container, and the same value with copies of them."""
    with PlainTorch():
        leaves: list[Any] = []
        copy = _with_copies(value, leaves, place)
    return leaves[0] if isinstance(value, _TensorBase) else leaves, copy


def _with_copies(value: Any, leaves: list[Any], place: int | str) -> Any:
    if isinstance(value, dict):
        return {key: _with_copies(item, leaves, place) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_with_copies(item, leaves, place) for item in value)
    if not isinstance(value, _TensorBase) or not (value.is_floating_point() or value.is_complex()):
        held = value.dtype if isinstance(value, _TensorBase) else type_name(value)
        raise ValueError(f"the argument {place!r} holds {held}, which has no gradient")
    leaves.append(value.requires_grad_())
    return value.clone()


def _differentiate(output: object, leaves: list[Any], seed: int) -> tuple[Any, ...]:
    """The gradients of sum(output · cotangent) at the leaves; None where the output does not depend on one."""
    pairs = [
        (tensor, _cotangent(tensor, seed + number))
        for number, tensor in enumerate(_tensors_in(output))
        if _TensorBase.requires_grad.__get__(tensor)
    ]
    flat = [leaf for group in leaves for leaf in (group if isinstance(group, list) else [group])]
    found: Any = iter([None] * len(flat))
    if pairs and flat:
        tensors, cotangents = zip(*pairs, strict=True)
        found = iter(_grad(tensors, flat, cotangents, allow_unused=True))
    return tuple([next(found) for _ in group] if isinstance(group, list) else next(found) for group in leaves)


def _tensors_in(value: Any) -> Iterator[Any]:
    """The tensors of nested containers, dictionaries in the order of their sorted names."""
    kind = type(value)
    if issubclass(kind, _TensorBase):
        yield value
    elif issubclass(kind, dict):
        for key in sorted(dict.keys(value)):
            yield from _tensors_in(dict.__getitem__(value, key))
    elif issubclass(kind, list | tuple):
        for item in (list if issubclass(kind, list) else tuple).__iter__(value):
            yield from _tensors_in(item)


def _cotangent(tensor: Any, seed: int) -> Any:
    with PlainTorch():
        generator = _Generator().manual_seed(seed)
        shape, dtype = _TensorBase.shape.__get__(tensor), _TensorBase.dtype.__get__(tensor)
        drawn = _randn(shape, generator=generator, dtype=_float64, device="cpu")
        if dtype.is_complex:
            drawn = _complex(drawn, _randn(shape, generator=generator, dtype=_float64, device="cpu"))
        return _TensorBase.to(drawn, dtype)
