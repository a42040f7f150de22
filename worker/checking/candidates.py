"""Random inputs after the pattern of an exercise's own: other sizes and magnitudes, ties, signs, other masks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers
from worker.sandbox.job import Call, TensorBytes, Value
from worker.values import border_value, graders_value

COUNT: Final = 72
# More could not be pasted into a file that people read.
MOST_ELEMENTS: Final = 120
_SIZES: Final = (1, 2, 2, 3, 3, 4, 5, 6)
_TRIES: Final = 4
_DECIMALS: Final = 2
# Of the candidates: those with the shapes of a case as they are, and those with one size for all axes.
_KEPT_SHARE: Final = 0.2

Path = tuple[int | str, ...]
Fill = Callable[[np.random.Generator, tuple[int, ...]], Numbers]

FILLS: Final[dict[str, Fill]] = {
    "usual values": lambda random, shape: random.standard_normal(shape),
    "large values": lambda random, shape: 10 * random.standard_normal(shape),
    "small values": lambda random, shape: 0.1 * random.standard_normal(shape),
    "whole numbers with ties": lambda random, shape: random.integers(-2, 3, shape).astype(np.float64),
    "positive values": lambda random, shape: np.abs(random.standard_normal(shape)) + 0.01,
    "negative values": lambda random, shape: -np.abs(random.standard_normal(shape)) - 0.01,
    "the same value everywhere": lambda random, shape: np.full(shape, random.standard_normal()),
    "a few zeros": lambda random, shape: random.standard_normal(shape) * random.integers(0, 2, shape),
    "far from zero": lambda random, shape: 20 + random.standard_normal(shape),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pattern:
    """Calls of one structure: which axes have the same size in all of them, and the range of whole numbers."""

    calls: tuple[Call, ...]

    def sizes(self) -> dict[tuple[Path, int], tuple[int, ...]]:
        """By tensor and axis its sizes in all calls: axes with the same ones belong together."""
        found: dict[tuple[Path, int], list[int]] = {}
        for call in self.calls:
            for path, tensor in _tensors(_parts(call), ()):
                for axis, size in enumerate(tensor.shape):
                    found.setdefault((path, axis), []).append(size)
        return {place: tuple(sizes) for place, sizes in found.items()}

    def values(self, path: Path) -> list[Numbers]:
        tensors = [dict(_tensors(_parts(call), ()))[path] for call in self.calls]
        return [array.values for array in map(graders_value, tensors) if isinstance(array, Array)]


def candidate_calls(calls: Sequence[Call], *, seed: int = 0, count: int = COUNT) -> list[Call]:
    """Calls that may tell a mutant from the reference, each named by what is particular to it."""
    random = np.random.default_rng(seed)
    patterns = [_Pattern(calls=tuple(group)) for group in _by_structure(calls) if dict(_tensors(_parts(group[0]), ()))]
    found: list[Call] = []
    for number in range(count if patterns else 0):
        pattern = patterns[number % len(patterns)]
        name = list(FILLS)[(number // len(patterns)) % len(FILLS)]
        for _ in range(_TRIES):
            call = _candidate(pattern, name, random)
            if _elements(call) <= MOST_ELEMENTS:
                found.append(call)
                break
    return found


def _by_structure(calls: Sequence[Call]) -> list[list[Call]]:
    groups: dict[str, list[Call]] = {}
    for call in calls:
        groups.setdefault(repr([_form(part) for part in _parts(call)]), []).append(call)
    return list(groups.values())


def _form(value: Value) -> object:
    """What must be the same for calls to be of one structure: containers, ranks and dtypes."""
    if isinstance(value, TensorBytes):
        return value.dtype, len(value.shape)
    if isinstance(value, dict):
        return {name: _form(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_form(item) for item in value]
    return type(value).__name__


def _parts(call: Call) -> list[Value]:
    return [list(call.args), dict(call.kwargs)]


def _tensors(value: Value, path: Path) -> Iterator[tuple[Path, TensorBytes]]:
    if isinstance(value, TensorBytes):
        yield path, value
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else ()
    for name, item in items:
        yield from _tensors(item, (*path, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refill:
    """Puts new values, of new shapes, in the place of every tensor."""

    pattern: _Pattern
    shapes: Mapping[Path, tuple[int, ...]]
    fill: Fill
    random: np.random.Generator

    def value(self, value: Value, path: Path) -> Value:
        if isinstance(value, TensorBytes):
            return self._tensor(value, path)
        if isinstance(value, dict):
            return {name: self.value(item, (*path, name)) for name, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item, (*path, place)) for place, item in enumerate(value)]
        return value

    def _tensor(self, value: TensorBytes, path: Path) -> Value:
        array = graders_value(value)
        if not isinstance(array, Array):
            return value
        numbers = self._numbers(array, path)
        return border_value(replace(array, values=numbers.astype(array.values.dtype)))

    def _numbers(self, array: Array, path: Path) -> Numbers:
        shape = self.shapes[path]
        if array.kind == "bool":
            return self.random.random(shape) < 0.5
        if array.kind == "integer":
            known = [values for values in self.pattern.values(path) if values.size]
            low = min((int(values.min()) for values in known), default=0)
            high = max((int(values.max()) for values in known), default=1)
            return self.random.integers(low, high + 1, shape)
        return np.asarray(np.round(self.fill(self.random, shape), _DECIMALS))


def _candidate(pattern: _Pattern, name: str, random: np.random.Generator) -> Call:
    base = pattern.calls[random.integers(len(pattern.calls))]
    refill = _Refill(pattern=pattern, shapes=_shapes(pattern, base, random), fill=FILLS[name], random=random)
    args = tuple(refill.value(value, (0, place)) for place, value in enumerate(base.args))
    kwargs = {field: refill.value(value, (1, field)) for field, value in base.kwargs.items()}
    return replace(base, name=name, visible=True, args=args, kwargs=kwargs, probes=None, fed=None)


def _shapes(pattern: _Pattern, base: Call, random: np.random.Generator) -> dict[Path, tuple[int, ...]]:
    """New shapes; axes that have always had the same size get the same one. What is built beforehand fixes sizes."""
    tensors = dict(_tensors(_parts(base), ()))
    if base.init is not None or base.state is not None or random.random() < _KEPT_SHARE:
        return {path: tensor.shape for path, tensor in tensors.items()}
    square = int(random.choice(_SIZES)) if random.random() < _KEPT_SHARE else 0
    sizes = pattern.sizes()
    drawn = {kind: square or int(random.choice(_SIZES)) for kind in sorted(set(sizes.values()))}
    return {
        path: tuple(drawn[sizes[path, axis]] for axis in range(len(tensor.shape))) for path, tensor in tensors.items()
    }


def _elements(call: Call) -> int:
    state = [] if call.state is None else [call.state]
    tensors = [*_tensors(_parts(call), ()), *_tensors(list(state), ())]
    return sum(math.prod(tensor.shape) for _, tensor in tensors)
