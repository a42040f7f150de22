"""Kind `tensor`: a tensor typed by hand, as nested lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ValidationError, WithJsonSchema, field_validator

from exercises.content.fields import Fields
from exercises.content.kinds.common import Remark
from exercises.content.kinds.numeric import Tolerances
from exercises.content.kinds.questions import VALUE_SCHEMA, Question, Value
from exercises.content.yamltext import Path

DEEPEST = 6


class _Cell(Fields):
    value: Value


def _nested(depth: int) -> dict[str, Any]:
    """Lists of values or, down to `depth`, of lists."""
    items = {"anyOf": [VALUE_SCHEMA, _nested(depth - 1)]} if depth > 1 else VALUE_SCHEMA
    return {"type": "array", "items": items}


class TypedTensor(Tolerances, Question):
    graded_fields: ClassVar[tuple[str, ...]] = ("answer", "rtol", "atol")

    kind: Literal["tensor"]
    """A tensor typed by hand."""
    answer: Annotated[Any, WithJsonSchema(_nested(DEEPEST))]
    """Nested lists of numbers and fractions."""

    @field_validator("answer")
    @classmethod
    def _numbers_as_one_type(cls, answer: Any) -> Any:
        """Whole numbers as numbers, so that 1 and 1.0 are the same exercise."""
        if isinstance(answer, tuple):
            return tuple(cls._numbers_as_one_type(item) for item in answer)
        return float(answer) if type(answer) is int else answer

    def own_remarks(self) -> Iterator[Remark]:
        yield from _of_cells(self.answer, ("answer",))
        if not isinstance(self.answer, tuple):
            yield ("answer",), "expected a list of numbers, or of lists; one number alone is of the kind `numeric`"


def _of_cells(value: Any, path: Path) -> Iterator[Remark]:
    if isinstance(value, tuple):
        lengths = [len(item) if isinstance(item, tuple) else None for item in value]
        for position, (item, length) in enumerate(zip(value, lengths, strict=True)):
            yield from _of_cells(item, (*path, position))
            if length != lengths[0]:
                yield (*path, position), f"expected {_length(lengths[0])}, as in the first row, found {_length(length)}"
        return
    try:
        _Cell(value=value)
    except ValidationError as error:
        yield path, str(error.errors()[0]["ctx"]["problem"])


def _length(length: int | None) -> str:
    return "a number" if length is None else "1 entry" if length == 1 else f"{length} entries"
