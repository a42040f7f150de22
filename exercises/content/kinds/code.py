"""Kind `code`: a function or class, called with the author's cases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from exercises.content.fields import Fields, Name, Number, count, describe
from exercises.content.kinds.common import Remark, twice
from exercises.content.kinds.programs import Program
from graders.errors import DefinitionError
from graders.properties import parse_property


def _is_of_form(value: str, *, form: str, words: str) -> str:
    if not re.fullmatch(form, value):
        problem = f"expected {words}, found {describe(value)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


def _form(form: str, words: str) -> AfterValidator:
    return AfterValidator(partial(_is_of_form, form=form, words=words))


Argument = Annotated[
    str, _form(r"[^\W\d]\w*(\.\w+)*", "the name of an argument, or of a parameter such as layer.weight")
]
Dotted = Annotated[str, _form(r"[^\W\d]\w*(\.[^\W\d]\w*)*", "a name such as softmax or torch.softmax")]
Operator = Annotated[str, _form(r"(\w+(::|\.))?\w+", "an operator such as aten::mm or mm")]


class Forbid(Fields):
    """What a submission must do without."""

    names: tuple[Dotted, ...] = ()
    operators: tuple[Operator, ...] = ()
    loops: bool = False

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


class Property(Fields):
    """What every output must have, and its points."""

    property: Annotated[str, AfterValidator(_is_property)]
    points: Annotated[Number, Field(ge=0, le=1000)] = 1.0


class Training(Fields):
    """Predictions on held-out inputs, measured by the targets that cases give."""

    metric: Literal["mse", "rmse", "mae", "accuracy", "cross_entropy"]
    at_most: Number | None = None
    at_least: Number | None = None
    steps: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0

    def remarks(self) -> Iterator[Remark]:
        if self.at_most is None and self.at_least is None:
            yield ("training",), "expected `at_most` or `at_least`, found neither"


class Reveal(Fields):
    """When students see the smallest hidden case that fails: from this hand-in of theirs on, or once all is over."""

    after: Annotated[int, Field(ge=1, le=1000)] | None = None
    at_closing: bool = False

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
    entry: Name
    draws: Annotated[int, Field(ge=1, le=20)] = 3
    gradients: tuple[Argument, ...] = ()
    inputs_unchanged: bool = False
    forbid: Forbid = Forbid()
    properties: Annotated[tuple[Property, ...], count(0, 20)] = ()
    training: Training | None = None
    reveal: Reveal | None = None

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
