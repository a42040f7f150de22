"""Shapes of fields that files share, and a validator's faults in an author's words."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetJsonSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError

from exercises.content.problems import Problem
from exercises.content.yamltext import Document, Path, dotted

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
LONGEST_SLUG = 50

# Fields of questions that code might be thought to have too.
OF_QUESTIONS = frozenset({"parameters"})

Shape = TypeVar("Shape", bound=BaseModel)


class Fields(BaseModel):
    """Strict and frozen: no unknown field, no conversion."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


def slug_problem(slug: str) -> str:
    """Why `slug` is none; nothing if it is one."""
    if not SLUG.fullmatch(slug):
        return f'expected small letters, digits and single hyphens, found "{slug}"'
    if len(slug) > LONGEST_SLUG:
        return f"expected at most {LONGEST_SLUG} characters, found {len(slug)}"
    return ""


def _is_slug(value: str) -> str:
    if problem := slug_problem(value):
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


def _is_name(value: str) -> str:
    if not value.isidentifier() or keyword.iskeyword(value):
        problem = f"expected the name of a variable, found {describe(value)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


def _is_said(value: str) -> str:
    if not value.strip():
        raise PydanticCustomError("content", "{problem}", {"problem": "expected text, found none"})
    return value


def _has_count(items: tuple[Any, ...], *, at_least: int, at_most: int) -> tuple[Any, ...]:
    if not at_least <= len(items) <= at_most:
        problem = f"expected {at_least} to {at_most} in the list, found {len(items)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return items


@dataclass(frozen=True, slots=True)
class Checked(AfterValidator):
    """A rule of ours, and as much of it as JSON Schema can say."""

    schema: Mapping[str, Any] = field(kw_only=True)

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core), **self.schema}


def count(at_least: int, at_most: int) -> Checked:
    """How many items a list may have. Unlike the validator's own rule it holds its tongue while an item is wrong."""
    rule = partial(_has_count, at_least=at_least, at_most=at_most)
    return Checked(rule, schema={"minItems": at_least, "maxItems": at_most})


_SAID = Checked(_is_said, schema={"pattern": r"\S"})

Text = Annotated[str, _SAID]
Title = Annotated[str, Field(max_length=200), _SAID]
Slug = Annotated[str, Checked(_is_slug, schema={"pattern": f"^{SLUG.pattern}$", "maxLength": LONGEST_SLUG})]
Name = Annotated[str, Checked(_is_name, schema={"pattern": r"^[^\W\d]\w*$"})]
Number = Annotated[float, Field(allow_inf_nan=False)]
Tolerance = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


def validate(shape: type[Shape], document: Document, file: str) -> tuple[Shape | None, list[Problem]]:
    """The document in this shape, or None; and all that is wrong, the problems of the YAML among it."""
    problems = list(document.problems)
    if document.is_broken:
        return None, problems
    if not isinstance(document.value, dict):
        problems.append(Problem(file=file, line=1, message=f"expected fields, found {describe(document.value)}"))
        return None, problems
    try:
        value = shape.model_validate(document.value)
    except ValidationError as error:
        told = {problem.field for problem in problems}
        found = [_problem(details, shape, document, file) for details in error.errors(include_url=False)]
        problems.extend(problem for problem in found if problem.field not in told)
        return None, problems
    return value, problems


def describe(value: object) -> str:
    """What was found, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {value:.15g}" if isinstance(value, float) else f"the number {value}"
    if isinstance(value, str):
        shown = value if len(value) <= 60 else value[:57] + "…"
        return f'the text "{shown}"'.replace("\n", "⏎")
    return "a list" if isinstance(value, tuple | list) else "a mapping"


def _problem(details: ErrorDetails, shape: type[BaseModel], document: Document, file: str) -> Problem:
    # "[key]" marks a fault in a name rather than in its value, another word in brackets one of several shapes.
    path: Path = tuple(part for part in details["loc"] if not _is_marker(part))
    message = _message(details, details["loc"], shape)
    return Problem(file=file, line=document.line(path), field=dotted(path), message=message)


def _is_marker(part: str | int) -> bool:
    return isinstance(part, str) and part.startswith("[")


def _message(details: ErrorDetails, path: Path, shape: type[BaseModel]) -> str:
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    if kind == "content":
        return str(context["problem"])
    if kind == "missing":
        return "expected this field, found none"
    if kind == "extra_forbidden":
        return _unknown_field(str(path[-1]), _fields_at(shape, path[:-1]))
    expected = _EXPECTED[kind].format(**{name: _bare(value) for name, value in context.items()})
    return f"expected {expected}, found {describe(given)}{_note(kind, given)}"


_EXPECTED = {
    "string_type": "text",
    "string_too_long": "at most {max_length} characters",
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "finite_number": "a finite number",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "literal_error": "{expected}",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than_equal": "a number of at most {le}",
    "multiple_of": "a multiple of {multiple_of}",
}


def _bare(value: object) -> object:
    """Numbers without a needless `.0`; the quotes of a choice of words turned into an author's."""
    return f"{value:.15g}" if isinstance(value, float) else value.replace("'", "`") if isinstance(value, str) else value


def _note(kind: str, given: object) -> str:
    if kind == "string_type" and isinstance(given, int | float):
        return f' (put it in quotes: "{describe(given).removeprefix("the number ")}")'
    if kind not in {"float_type", "int_type", "bool_type"} or not isinstance(given, str):
        return ""
    return number_note(given)


def number_note(given: str) -> str:
    """What to write instead of a text that stands where a number is expected; nothing where that is not clear."""
    if given != given.strip():
        place = "behind" if given == given.lstrip() else "before"
        return f" (a space {place} it)"
    if re.fullmatch(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?|true|false", given):
        return " (take the quotes away)"
    if re.fullmatch(r"[-+]?[0-9]+,[0-9]+", given):
        return " (write a point for the comma)"
    if fraction := re.fullmatch(r"([-+]?[0-9]+)/([1-9][0-9]*)", given):
        return f" (write {int(fraction[1]) / int(fraction[2]):.10g})"
    return ""


def _unknown_field(name: str, known: list[str]) -> str:
    if name in OF_QUESTIONS:
        return f"`{name}` are for questions that are answered by a response, not for code"
    near = difflib.get_close_matches(name, known, n=1)
    advice = f"; did you mean `{near[0]}`?" if near else ""
    return f"unknown field{advice or '; known here: ' + ', '.join(known)}"


def _fields_at(shape: type[BaseModel], path: Path) -> list[str]:
    """The names of the fields of the model at `path` within `shape`."""
    shapes = [shape]
    for part in path:
        # Indices, and keys of free mappings, lead to no other model.
        if _is_marker(part):
            shapes = [one for one in shapes if f"[{one.__name__}]" == part]
        elif field := shapes[0].model_fields.get(str(part)):
            shapes = list(_models_in(field.annotation))
    return list(shapes[0].model_fields)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """The models within an annotation such as `tuple[Option, ...]` or `dict[str, Mistake]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for part in get_args(annotation):
        yield from _models_in(part)
