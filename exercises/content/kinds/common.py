"""The fields of every kind of exercise."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field
from pydantic_core import PydanticCustomError

from exercises.content.fields import Checked, Fields, Number, Text, Title, Tolerance, describe
from exercises.content.yamltext import Path

DTYPES = frozenset(
    [
        "float64",
        "float32",
        "float16",
        "bfloat16",
        "complex128",
        "complex64",
        "int64",
        "int32",
        "int16",
        "int8",
        "uint8",
        "bool",
    ]
)
Remark = tuple[Path, str]


def is_cents(value: float) -> float:
    """The value. Raises: PydanticCustomError where it has more than two decimals."""
    if -Decimal(str(value)).normalize().as_tuple().exponent > 2:  # type: ignore[operator]  # finite, so a number
        problem = f"expected at most two decimals, found {describe(value)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


# JSON Schema has no word for decimals: 0.07 is no multiple of 0.01 in floating point.
CENTS = Checked(is_cents, schema={})


class Exercise(Fields):
    """What every exercise.yaml may say; a kind adds its own. Defaults are what the definition is filled up with."""

    files: ClassVar[tuple[str, ...]] = ()
    optional_files: ClassVar[tuple[str, ...]] = ()
    graded_fields: ClassVar[tuple[str, ...]] = ()

    format: Literal[1]
    """Version of the format: 1."""
    kind: str
    """What students answer with."""
    title: Title
    """What the exercise is called."""
    prompt: Text
    """What is asked, in Markdown."""
    points: Annotated[Number, Field(ge=0, le=99999.99), CENTS] = 1.0
    """What it is worth, with at most two decimals."""
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    """How hard it is, as lists of exercises say."""
    tags: tuple[Text, ...] = ()
    """Words to find it by."""
    misconceptions: tuple[Text, ...] = ()
    """What people who get it wrong believe, in a few words each."""
    hints: tuple[Text, ...] = ()
    """Shown one by one, in Markdown, from the gentlest to the plainest."""
    explanation: str = ""
    """Shown when solved, given up or closed, in Markdown."""

    def remarks(self) -> Iterator[Remark]:
        """What is wrong between fields that are right one by one: where, and what."""
        for name in ("tags", "misconceptions"):
            yield from twice(getattr(self, name), (name,))

    def texts(self) -> Iterator[tuple[Path, str]]:
        """The fields that are Markdown: where, and what they say."""
        yield ("prompt",), self.prompt
        for position, hint in enumerate(self.hints):
            yield ("hints", position), hint
        yield ("explanation",), self.explanation

    def grading(self) -> dict[str, Any]:
        """What a verdict depends on, files aside."""
        whole = self.model_dump(mode="json")
        return {name: whole[name] for name in self.graded_fields}


class Limits(Fields):
    """Of one submission."""

    cpu_seconds: Annotated[Number, Field(gt=0, le=120)] = 4.0
    """Seconds of CPU time, all cases together."""
    memory_mb: Annotated[int, Field(ge=64, le=8192)] = 512
    """Mebibytes of memory."""
    tasks: Annotated[int, Field(ge=1, le=1024)] = 64
    """Processes and threads at a time."""


def _is_dtypes(value: object) -> str | tuple[str, ...]:
    problem = ""
    if isinstance(value, str):
        if value not in {"exact", "kind", "any"}:
            problem = f"expected `exact`, `kind`, `any` or a list of dtypes, found {describe(value)}"
    elif not isinstance(value, tuple) or not value:
        problem = (
            f"expected `exact`, `kind`, `any` or a list of dtypes, found {describe(value) if value else 'nothing'}"
        )
    elif unknown := [name for name in value if name not in DTYPES]:
        problem = f"expected dtypes such as float32, found {describe(unknown[0])}"
    if problem:
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value  # type: ignore[return-value]  # just checked


_DTYPES_SCHEMA = {
    "anyOf": [
        {"enum": ["exact", "kind", "any"]},
        {"type": "array", "items": {"enum": sorted(DTYPES)}, "minItems": 1},
    ]
}


class Comparison(Fields):
    """How outputs are compared. Without tolerances those of the dtype hold, as in `torch.testing.assert_close`."""

    rtol: Tolerance | None = None
    """Part of the expected value by which an output may be off; with `atol` only."""
    atol: Annotated[Number, Field(ge=0)] | None = None
    """What an output may be off besides; with `rtol` only."""
    dtypes: Annotated[Any, Checked(_is_dtypes, schema=_DTYPES_SCHEMA)] = "exact"
    """`exact`, `kind` (float for float), `any`, or a list of dtypes."""
    allow: tuple[Literal["numpy", "scalars"], ...] = ()
    """What may stand in place of a tensor."""
    equal_nan: bool = False
    """Whether NaN equals NaN."""
    signed_zero: bool = False
    """Whether -0 differs from 0."""

    def remarks(self) -> Iterator[Remark]:
        yield from twice(self.allow, ("compare", "allow"))
        if (self.rtol is None) != (self.atol is None):
            given, missing = ("atol", "rtol") if self.rtol is None else ("rtol", "atol")
            yield ("compare", given), f"expected `{missing}` beside `{given}`, found it alone; give both or neither"


def twice(words: tuple[str, ...], path: Path) -> Iterator[Remark]:
    """A remark for each word that stands in the list a second time."""
    for position, word in enumerate(words):
        if word in words[:position]:
            yield (*path, position), f'"{word}" is given twice'
