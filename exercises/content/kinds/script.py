"""Kind `script`: a whole program; variables it leaves, or what it prints, are compared with the reference's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from exercises.content.fields import Name
from exercises.content.kinds.common import Remark, twice
from exercises.content.kinds.programs import Program


class Script(Program):
    files: ClassVar[tuple[str, ...]] = ("starter.py", "reference.py")
    graded_fields: ClassVar[tuple[str, ...]] = ("collect", "stdout", "compare", "limits")

    kind: Literal["script"]
    """A whole program."""
    collect: tuple[Name, ...] = ()
    """Variables that are compared with the reference's."""
    stdout: bool = False
    """Whether what is printed is compared."""

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from twice(self.collect, ("collect",))
        if not self.collect and not self.stdout:
            yield (), "expected `collect: [names of variables]` or `stdout: true`, found neither"
