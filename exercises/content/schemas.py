"""JSON Schema of exercise.yaml and course.yaml, made of what reads them: editors complete and check by it.

It says less than reading does: what depends on several fields, on other files or on Markdown is found there alone.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Union

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from exercises.content.course import CourseFields
from exercises.content.kinds import KINDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SCHEMA_NAMES = ("exercise", "course")


class _Schema(GenerateJsonSchema):
    """Without titles, since names of fields say enough, and without names that no pattern allows."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def dict_schema(self, schema: Any) -> dict[str, Any]:
        made = super().dict_schema(schema)
        return {**made, "additionalProperties": False} if "patternProperties" in made else made


def schema_of(name: str) -> dict[str, Any]:
    """The schema of `exercise` or of `course`. Raises: KeyError for anything else."""
    title, shape = _SHAPES[name]
    made = TypeAdapter(shape).json_schema(schema_generator=_Schema)
    # A word of OpenAPI's, not of JSON Schema's.
    made.pop("discriminator", None)
    return {"$schema": DIALECT, **made, "title": title}


def schema_file(name: str) -> bytes:
    """The schema as a file. Raises: KeyError as `schema_of`."""
    return (json.dumps(schema_of(name), indent=2, ensure_ascii=False) + "\n").encode()


_SHAPES: dict[str, tuple[str, Any]] = {
    "exercise": ("exercise.yaml", Annotated[Union[tuple(KINDS.values())], Field(discriminator="kind")]),  # noqa: UP007  (made of a table)
    "course": ("course.yaml", CourseFields),
}
