"""What the kinds share that are answered by a response: variants, and a trial by the grader itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer
from pydantic_core import PydanticCustomError

from exercises.content.fields import Checked, Fields, Number, describe, number_note
from exercises.content.kinds.common import Exercise, Remark
from exercises.content.yamltext import Path
from graders.errors import DefinitionError
from graders.questions.kinds import check_question
from graders.questions.parameters import PLACE, filled

# What is shown of a variant before there is a student.
SAMPLE_SEED = "a sample"
_FRACTION = re.compile(r"[-+]?[0-9]+/0*[1-9][0-9]*")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_PART = re.compile(r"(\w[^.\[\]]*)|\[(\d+)\]")


def is_expression(value: object) -> bool:
    """Whether it is text with a place to be filled, as `{{ 1 / sqrt(d) }}`."""
    return isinstance(value, str) and PLACE.search(value) is not None


def _is_value(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        problem = f"expected a number, found {describe(value)}"
    elif isinstance(value, str):
        if is_expression(value) or _FRACTION.fullmatch(value):
            return value
        problem = f"expected a number, found {describe(value)}{number_note(value)}"
    elif abs(value) < float("inf"):
        return float(value)
    else:
        problem = f"expected a finite number, found {describe(value)}"
    raise PydanticCustomError("content", "{problem}", {"problem": problem})


VALUE_SCHEMA = {
    "anyOf": [
        {"type": "number"},
        {"type": "string", "pattern": rf"^{_FRACTION.pattern}$"},
        {"type": "string", "pattern": PLACE.pattern},
    ]
}
Value = Annotated[Any, Checked(_is_value, schema=VALUE_SCHEMA)]
"""A number, a fraction such as `1/3`, or an expression in `{{ }}` where parameters are declared."""


class Parameter(Fields):
    """What a number is drawn from: one of three ways."""

    choices: tuple[Number, ...] | None = None
    """One of these numbers."""
    integer: tuple[int, ...] | None = None
    """A whole number from the first to the last, both included."""
    uniform: tuple[Number, ...] | None = None
    """A number between the two."""
    decimals: int | None = None
    """How many decimals `uniform` has."""

    @model_serializer(mode="wrap")
    def _as_declared(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}


class Question(Exercise):
    """An exercise answered by a response. `parameters` gives each student a variant of their own."""

    graded_fields: ClassVar[tuple[str, ...]] = ()

    parameters: dict[str, Parameter] = Field(default_factory=dict)
    """Numbers that are drawn for each student, for {{ … }} in prompt and answers."""

    def remarks(self) -> Iterator[Remark]:
        found = [*super().remarks(), *self.own_remarks(), *self._of_parameters()]
        # The grader's word comes last: ours says the same in more words.
        yield from found or self._of_grader()

    def own_remarks(self) -> Iterator[Remark]:
        """What is wrong between the fields of the kind itself."""
        yield from ()

    def texts(self) -> Iterator[tuple[Path, str]]:
        for path, text in super().texts():
            yield path, self.sample.get("prompt", text) if path == ("prompt",) else text

    def grading(self) -> dict[str, Any]:
        whole = self.whole
        drawn = {"parameters": whole["parameters"]} if self.parameters else {}
        return {name: whole[name] for name in self.graded_fields} | drawn

    @cached_property
    def whole(self) -> dict[str, Any]:
        """All fields as they are stored."""
        return self.model_dump(mode="json")

    @cached_property
    def sample(self) -> Mapping[str, Any]:
        """The fields of a made-up student's variant; as written where a variant cannot be made."""
        try:
            return filled(self.whole, SAMPLE_SEED)
        except DefinitionError:
            return self.whole

    def _of_parameters(self) -> Iterator[Remark]:
        places = list(_places(self.whole, ()))
        for path, _, field in places:
            if field == "answer" and not self.parameters:
                yield path, "expected `parameters` beside `{{ … }}`, found none"
        if not self.parameters:
            return
        said = " ".join(expression for _, expression, field in places if field in {"answer", "prompt"})
        used = set(_NAME.findall(said))
        for name in self.parameters:
            if _NAME.fullmatch(name) and name not in used | set(self.whole.get("blanks") or ()):
                yield ("parameters", name), f"expected {{{{ {name} }}}} in `prompt` or in an `answer`, found it nowhere"
        for path, expression, field in places:
            if field not in {"answer", "prompt", "template"} and set(_NAME.findall(expression)) & set(self.parameters):
                yield path, f"{{{{{expression}}}}} is filled in `prompt` and in `answer` only"

    def _of_grader(self) -> Iterator[Remark]:
        try:
            check_question(self.whole)
        except DefinitionError as error:
            yield _path_of(error.field), error.message


def _places(value: Any, path: Path, field: str = "") -> Iterator[tuple[Path, str, str]]:
    """Every `{{ }}`: where, what stands in it, and the name of the nearest field."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _places(item, (*path, name), name)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _places(item, (*path, position), field)
    elif isinstance(value, str):
        for expression in PLACE.findall(value):
            yield path, expression, field


def _path_of(field: str) -> Path:
    """`feedback[0].answer`, as the grader names it (items from 0), as a path."""
    return tuple(int(place) if place else name for name, place in _PART.findall(field))
