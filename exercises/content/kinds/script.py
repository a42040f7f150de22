"""Kind `script`: a whole program; variables it leaves, or what it prints, are compared with the reference's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from exercises.content.fields import Name
from exercises.content.kinds.common import Comparison, Exercise, Limits, Remark, twice


class Script(Exercise):
    files: ClassVar[tuple[str, ...]] = ("starter.py", "reference.py")

    kind: Literal["script"]
    collect: tuple[Name, ...] = ()
    stdout: bool = False
    compare: Comparison = Comparison()
    limits: Limits = Limits()

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from self.compare.remarks()
        yield from twice(self.collect, ("collect",))
        if not self.collect and not self.stdout:
            yield (), "expected `collect: [names of variables]` or `stdout: true`, found neither"

    def grading(self) -> dict[str, Any]:
        whole = self.model_dump(mode="json")
        return {name: whole[name] for name in ("collect", "stdout", "compare", "limits")}
