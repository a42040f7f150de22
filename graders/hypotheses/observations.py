"""What a hypothesis looks at: one case as numbers, and how well a prediction explains what was returned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from graders.arrays import Array, Numbers, Value, in_float64, nearest_float, python_number
from graders.cases import Inputs
from graders.comparisons import Comparison

# A prediction is made in float64 and may take another way to the same number; so it is judged like a listed mistake.
WIDENING: Final = 10.0
# What a prediction must account for of the difference between actual and expected to be evidence at all.
EXPLAINED: Final = 0.9
LARGEST: Final = float(np.finfo(np.float32).max)
MOST_CELLS: Final = 2**20
"""No array that is worked out on the way to a prediction holds more numbers: a product may be much larger than both."""
# No larger argument is a size; and its powers would be no floats.
LARGEST_SIZE: Final = 2**53


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leaf:
    """One array of an output: actual and expected as float64 or complex128, of any two shapes."""

    actual: Numbers
    expected: Numbers
    rtol: float
    atol: float
    is_wrong: bool

    @property
    def is_aligned(self) -> bool:
        """Whether both have one shape."""
        return bool(self.actual.shape == self.expected.shape)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A size that the inputs have: `key` is the same in every case, `words` say what it is."""

    key: str
    words: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Observation:
    """One case that returned a value built as expected.

    `tensors` are the tensors among the arguments, in order, `numbers` the plain numbers given by position, `options`
    those given by name; `state` are the tensors of a state dict, in order; `case` is the place of the case in the key.
    """

    leaves: tuple[Leaf, ...]
    case: int = 0
    tensors: tuple[Array, ...] = ()
    numbers: tuple[float, ...] = ()
    options: dict[str, float] = field(default_factory=dict)
    state: tuple[Numbers, ...] = ()
    sizes: tuple[Size, ...] = ()

    @property
    def is_wrong(self) -> bool:
        return any(leaf.is_wrong for leaf in self.leaves)

    @property
    def floats(self) -> list[Numbers]:
        """Tensors of real numbers among the arguments, as float64."""
        return [in_float64(tensor) for tensor in self.tensors if tensor.kind == "float"]

    @property
    def integers(self) -> list[int]:
        """Whole numbers among the arguments."""
        return [int(number) for number in (*self.numbers, *self.options.values()) if number.is_integer()]


def observe(actual: Value, expected: Value, policy: Comparison, *, inputs: Inputs, case: int = 0) -> Observation | None:
    """The case as numbers; None where the two are not built alike, or hold something else than numbers, or none."""
    ours, theirs = list(arrays_in(expected)), list(arrays_in(actual))
    if len(ours) != len(theirs) or not ours or any(array.values.size == 0 for array in (*ours, *theirs)):
        return None
    given = [*inputs.args, *inputs.kwargs.values()]
    tensors = tuple(array for value in given if not _is_number(value) for array in arrays_in(value))
    if any(tensor.values.size == 0 for tensor in tensors):
        return None
    return Observation(
        leaves=tuple(_leaf(one, other, policy) for one, other in zip(theirs, ours, strict=True)),
        case=case,
        tensors=tensors,
        numbers=tuple(nearest_float(value) for value in inputs.args if _is_number(value)),  # type: ignore[arg-type]  # a number
        options={name: nearest_float(value) for name, value in inputs.kwargs.items() if _is_number(value)},  # type: ignore[arg-type]  # a number
        state=tuple(in_float64(array) for array in arrays_in(dict(inputs.state))),
        sizes=tuple(_sizes(tensors, inputs)),
    )


def arrays_in(value: Value) -> Iterator[Array]:
    """The arrays and numbers of a value, in the order in which it is built; dictionaries by name."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, dict):
        for name in sorted(value):
            yield from arrays_in(value[name])
    elif isinstance(value, list | tuple):
        for item in value:
            yield from arrays_in(item)
    elif isinstance(value, int | float | complex):
        yield python_number(value)


def close(predicted: Numbers, actual: Numbers, *, rtol: float, atol: float) -> bool:
    """Whether two arrays have one shape, NaN and infinities at the same places, and elsewhere the same numbers."""
    if predicted.shape != actual.shape:
        return False
    if np.isinf(actual).any():  # What float64 still holds may have been too large where it was computed.
        predicted = np.where(np.abs(predicted) > LARGEST, np.sign(predicted) * np.inf, predicted)
    finite = np.isfinite(predicted) & np.isfinite(actual)
    if not finite.all():
        same = (predicted == actual) | (np.isnan(predicted) & np.isnan(actual))
        if not (same | finite).all():
            return False
    gap = np.abs(predicted - actual)
    return bool((gap <= WIDENING * (atol + rtol * np.abs(predicted)))[finite].all())


def explained(predicted: Numbers, leaf: Leaf) -> float:
    """How much of the difference from expected the prediction accounts for: 1 for all of it, 0 for too little."""
    if not close(predicted, leaf.actual, rtol=leaf.rtol, atol=leaf.atol):
        return 0.0
    if not leaf.is_aligned:
        return 1.0
    finite = np.isfinite(leaf.actual) & np.isfinite(leaf.expected)
    before = _norm((leaf.actual - leaf.expected)[finite])
    if before == 0 or (leaf.actual[~finite] != leaf.expected[~finite]).any():
        return 1.0 if finite.any() else EXPLAINED  # What is not finite explains itself, if it is not all there is.
    share = 1 - _norm((leaf.actual - predicted)[finite]) / before
    return float(share) if share >= EXPLAINED else 0.0


def _norm(numbers: Numbers) -> float:
    return float(np.sqrt((np.abs(numbers) ** 2).sum()))


def _leaf(actual: Array, expected: Array, policy: Comparison) -> Leaf:
    rtol, atol = policy.tolerance(actual, expected)
    ours, theirs = in_float64(expected), in_float64(actual)
    right = ours.shape == theirs.shape and close(theirs, ours, rtol=rtol / WIDENING, atol=atol / WIDENING)
    return Leaf(actual=theirs, expected=ours, rtol=rtol, atol=atol, is_wrong=not right)


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float)


_ORDINALS: Final = ("first", "second", "third", "fourth")


def _sizes(tensors: Sequence[Array], inputs: Inputs) -> Iterator[Size]:
    """Sizes that a factor may come from: axes from the last, the batch, numbers of elements, whole arguments."""
    words = {-1: "last axis", -2: "last axis but one"}
    for place, tensor in enumerate(tensors[: len(_ORDINALS)]):
        ndim, of = len(tensor.shape), f"the {_ORDINALS[place]} input"
        for axis in range(-1, -ndim - 1, -1):
            named = words.get(axis, f"axis {ndim + axis}")
            words_of_axis = f"the length of the {named} of {of}"
            yield Size(key=f"{place}[{axis}]", words=words_of_axis, value=tensor.shape[axis])
        if ndim > 1:
            yield Size(key=f"{place}[:]", words=f"the number of elements of {of}", value=tensor.values.size)
            rows = tensor.values.size // max(tensor.shape[-1], 1)
            yield Size(key=f"{place}[rows]", words=f"the number of rows of {of}", value=rows)
            channel = tensor.values.size // max(tensor.shape[1], 1)
            yield Size(key=f"{place}[/1]", words=f"the number of values of each channel of {of}", value=channel)
    named_inputs = [*enumerate(inputs.args), *inputs.kwargs.items()]
    for key, value in named_inputs:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_SIZE:
            yield Size(key=f"={key}", words="an argument", value=value)
            if tensors and tensors[0].shape and value and tensors[0].shape[-1] % value == 0:
                width = tensors[0].shape[-1] // value
                yield Size(key=f"0[-1]/{key}", words="the width of each part of the last axis", value=width)
