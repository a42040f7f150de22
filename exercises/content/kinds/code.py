"""Kind `code`: a function or class, called with the author's cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Annotated, ClassVar, Literal

from pydantic import Field
from pydantic_core import PydanticCustomError

from exercises.content.fields import Checked, Fields, Name, Number, count, describe
from exercises.content.kinds.common import Remark, twice
from exercises.content.kinds.programs import Program
from graders.errors import DefinitionError
from graders.properties import WORDS, parse_property


def _is_of_form(value: str, *, form: str, words: str) -> str:
    if not re.fullmatch(form, value):
        problem = f"expected {words}, found {describe(value)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


def _form(form: str, words: str) -> Checked:
    return Checked(partial(_is_of_form, form=form, words=words), schema={"pattern": f"^({form})$"})


Argument = Annotated[
    str, _form(r"[^\W\d]\w*(\.\w+)*", "the name of an argument, or of a parameter such as layer.weight")
]
Dotted = Annotated[str, _form(r"[^\W\d]\w*(\.[^\W\d]\w*)*", "a name such as softmax or torch.softmax")]
Operator = Annotated[str, _form(r"(\w+(::|\.))?\w+", "an operator such as aten::mm or mm")]


class Forbid(Fields):
    """What a submission must do without."""

    names: tuple[Dotted, ...] = ()
    """Functions by their dotted name, or any attribute by a bare one."""
    operators: tuple[Operator, ...] = ()
    """What functions of torch come down to, such as aten::mm."""
    loops: bool = False
    """Whether `for`, `while` and comprehensions are ruled out."""

    def remarks(self) -> Iterator[Remark]:
        yield from twice(self.names, ("forbid", "names"))
        yield from twice(self.operators, ("forbid", "operators"))


def _is_property(value: str) -> str:
    try:
        parse_property(value)
    except DefinitionError as error:
        problem = error.message.replace("'", '"')
        raise PydanticCustomError("content", "{problem}", {"problem": problem}) from None
    return value


_PROPERTY_PATTERN = rf"^\s*({'|'.join(WORDS)})\s*\([^()]*\)\s*$"


class Property(Fields):
    """What every output must have, and its points."""

    property: Annotated[str, Checked(_is_property, schema={"pattern": _PROPERTY_PATTERN})]
    """A word of the vocabulary in docs/grading.md, such as sums_to(output, 1, dim=-1)."""
    points: Annotated[Number, Field(ge=0, le=1000)] = 1.0
    """What it is worth."""


class Training(Fields):
    """Predictions on held-out inputs, measured by the targets that cases give."""

    metric: Literal["mse", "rmse", "mae", "accuracy", "cross_entropy"]
    """How predictions are measured against the targets that cases give."""
    at_most: Number | None = None
    """The metric may be no larger."""
    at_least: Number | None = None
    """The metric may be no smaller."""
    steps: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """How many steps of an optimiser a call may make."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """What random numbers are seeded with before each call."""

    def remarks(self) -> Iterator[Remark]:
        if self.at_most is None and self.at_least is None:
            yield ("training",), "expected `at_most` or `at_least`, found neither"


class Reveal(Fields):
    """When students see the smallest hidden case that fails: from this hand-in of theirs on, or once all is over."""

    after: Annotated[int, Field(ge=1, le=1000)] | None = None
    """From this hand-in of theirs on."""
    at_closing: bool = False
    """Once all is over."""

    def remarks(self) -> Iterator[Remark]:
        if self.after is None and not self.at_closing:
            yield ("reveal",), "expected `after` or `at_closing: true`, found neither"


class Code(Program):
    files: ClassVar[tuple[str, ...]] = ("starter.py", "reference.py", "cases.py")
    optional_files: ClassVar[tuple[str, ...]] = ("mistakes", "data", "driver.py")
    graded_fields: ClassVar[tuple[str, ...]] = (
        "entry",
        "compare",
        "draws",
        "limits",
        "gradients",
        "inputs_unchanged",
        "forbid",
        "properties",
        "training",
    )

    kind: Literal["code"]
    """A function or a class."""
    entry: Name
    """The function or class that students write."""
    draws: Annotated[int, Field(ge=1, le=20)] = 3
    """How often hidden cases are drawn."""
    gradients: tuple[Argument, ...] = ()
    """Arguments of the reference, or a module's parameters, whose gradients are compared too."""
    inputs_unchanged: bool = False
    """Whether a call must leave its arguments as they are."""
    forbid: Forbid = Forbid()
    """What is ruled out: functions, operators, loops."""
    properties: Annotated[tuple[Property, ...], count(0, 20)] = ()
    """What outputs must have, each with its own points."""
    training: Training | None = None
    """Outputs are predictions on held-out inputs."""
    reveal: Reveal | None = None
    """Shows students the smallest hidden case that fails."""

    def remarks(self) -> Iterator[Remark]:
        yield from super().remarks()
        yield from twice(self.gradients, ("gradients",))
        yield from self.forbid.remarks()
        if self.training is not None:
            yield from self.training.remarks()
        if self.reveal is not None:
            yield from self.reveal.remarks()
        words = tuple(demanded.property for demanded in self.properties)
        for path, message in twice(words, ("properties",)):
            yield (*path, "property"), message
