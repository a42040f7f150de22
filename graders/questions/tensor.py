"""A tensor typed by hand, as nested lists of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from graders import feedback
from graders.arrays import Array
from graders.comparisons import Comparison
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Outcome
from graders.questions.numbers import MAX_CHARACTERS, read_number
from graders.questions.numeric import DEFAULT_RTOL, tolerance_field
from graders.scoring import outcome_of_verdict
from graders.tensors import compare, verdict_of

MAX_AXES: Final = 6
MAX_ELEMENTS: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorQuestion:
    """`answer` in float64; right is |response − answer| ≤ atol + rtol·|answer|, element by element."""

    answer: Array
    comparison: Comparison


def from_definition(exercise: Mapping[str, Any]) -> TensorQuestion:
    """The question that exercise.yaml declares.

    Raises:
        DefinitionError: the answer is no nested list of numbers, or a tolerance cannot be read.
    """
    rtol, atol = exercise.get("rtol"), exercise.get("atol")
    default = DEFAULT_RTOL if atol is None else Fraction(0)
    comparison = Comparison(
        rtol=_tolerance(rtol, "rtol", default),
        atol=_tolerance(atol, "atol", Fraction(0)),
    )
    try:
        answer = read_tensor(exercise.get("answer"))
    except ResponseError as error:
        raise DefinitionError("answer", str(error)) from error
    return TensorQuestion(answer=answer, comparison=comparison)


def form(question: TensorQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: nothing; its shape is part of the answer."""
    return {}


def response_schema(question: TensorQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response."""
    number = {"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS}]}
    return {
        "$ref": "#/$defs/tensor",
        "$defs": {"tensor": {"anyOf": [number, {"type": "array", "items": {"$ref": "#/$defs/tensor"}}]}},
        "examples": [[[1, 0.5], ["1/3", 0]]],
    }


def grade(question: TensorQuestion, response: object, seed: str = "") -> Outcome:
    """The outcome of nested lists of numbers: shape first, then values.

    Raises:
        ResponseError: rows of one level differ in length, or something in them is no number.
    """
    mismatch = compare(read_tensor(response), question.answer, question.comparison)
    return outcome_of_verdict(verdict_of(mismatch), feedback.of_typed_tensor(mismatch))


def right_response(question: TensorQuestion, seed: str = "") -> object:
    """What the key says, as nested lists."""
    return question.answer.values.tolist()


def read_tensor(response: object) -> Array:
    """Nested lists of numbers as a float64 array; a number alone has shape ().

    Raises:
        ResponseError: see `grade`; or there are too many axes or elements.
    """
    shape = _shape(response)
    numbers = np.array(list(_numbers(response, shape)), dtype=np.float64)
    return Array(dtype="float64", values=numbers.reshape(shape))


def _tolerance(value: object, field: str, default: Fraction) -> float:
    try:
        return _in_float64(tolerance_field(value, field, default))
    except ResponseError as error:
        raise DefinitionError(field, str(error)) from error


def _shape(response: object) -> tuple[int, ...]:
    """The lengths along the first elements; whether the others agree is seen while they are read."""
    lengths: list[int] = []
    inner = response
    while isinstance(inner, list):
        lengths.append(len(inner))
        if len(lengths) > MAX_AXES:
            raise ResponseError(f"expected lists nested at most {MAX_AXES} deep")
        inner = inner[0] if inner else None
    return tuple(lengths)


def _numbers(response: object, shape: tuple[int, ...]) -> Iterator[float]:
    for place, item in enumerate(_items(response, shape)):
        if place >= MAX_ELEMENTS:
            raise ResponseError(f"expected at most {MAX_ELEMENTS} numbers")
        yield _in_float64(read_number(item))


def _items(response: object, shape: tuple[int, ...]) -> Iterator[object]:
    if not shape:
        yield response
    elif not isinstance(response, list) or len(response) != shape[0]:
        raise ResponseError("expected lists of one length at each level, and numbers only at the innermost")
    else:
        for item in response:
            yield from _items(item, shape[1:])


def _in_float64(number: Fraction) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ResponseError("expected a smaller number") from None
