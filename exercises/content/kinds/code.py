"""Kind `code`: a function or class, called with the author's cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from exercises.content.fields import Name, describe
from exercises.content.kinds.common import Remark, twice
from exercises.content.kinds.programs import Program


def _is_argument(value: str) -> str:
    if not all(part.isidentifier() or part.isdecimal() for part in value.split(".")):
        problem = f"expected the name of an argument, or of a parameter such as `layer.weight`, found {describe(value)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


Argument = Annotated[str, AfterValidator(_is_argument)]


class Code(Program):
    files: ClassVar[tuple[str, ...]] = ("starter.py", "reference.py", "cases.py")
    graded_fields: ClassVar[tuple[str, ...]] = (
        "entry",
        "compare",
        "draws",
        "limits",
        "gradients",
        "inputs_unchanged",
    )

    kind: Literal["code"]
    entry: Name
    draws: Annotated[int, Field(ge=1, le=20)] = 3
    gradients: tuple[Argument, ...] = ()
    inputs_unchanged: bool = False

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from twice(self.gradients, ("gradients",))
