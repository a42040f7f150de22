"""Kind `code`: a function or class, called with the author's cases."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from exercises.content.fields import Name
from exercises.content.kinds.programs import Program


class Code(Program):
    files: ClassVar[tuple[str, ...]] = ("starter.py", "reference.py", "cases.py")
    graded_fields: ClassVar[tuple[str, ...]] = ("entry", "compare", "draws", "limits")

    kind: Literal["code"]
    entry: Name
    draws: Annotated[int, Field(ge=1, le=20)] = 3
