"""Kind `matching`: pairs to be found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic_core import PydanticCustomError

from exercises.content.fields import Checked, Text, count
from exercises.content.kinds.common import Remark
from exercises.content.kinds.ordering import of_distractors
from exercises.content.kinds.questions import Question
from exercises.content.yamltext import Path

MOST_PAIRS = 26


def _is_pair(texts: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(texts) != 2:
        problem = f"expected two texts, [left, right], found {len(texts) or 'none'}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return texts


Pair = Annotated[tuple[Text, ...], Checked(_is_pair, schema={"minItems": 2, "maxItems": 2})]


class Matching(Question):
    graded_fields: ClassVar[tuple[str, ...]] = ("pairs", "distractors")

    kind: Literal["matching"]
    """Pairs to be found."""
    pairs: Annotated[tuple[Pair, ...], count(2, MOST_PAIRS)]
    """[left, right]; several left texts may belong to one right text."""
    distractors: Annotated[tuple[Text, ...], count(0, MOST_PAIRS)] = ()
    """Right texts that belong to nothing."""

    def own_remarks(self) -> Iterator[Remark]:
        left = [pair[0].strip() for pair in self.pairs]
        right = {pair[1].strip() for pair in self.pairs}
        for position, text in enumerate(left):
            if text in left[:position]:
                yield ("pairs", position), f'"{text}" stands on the left twice'
        yield from of_distractors(self.distractors, right, where="belongs to a pair")
        if len(right) + len(self.distractors) == 1:
            yield ("pairs",), "expected texts on the right that differ, found one for all"

    def texts(self) -> Iterator[tuple[Path, str]]:
        yield from super().texts()
        for position, pair in enumerate(self.pairs):
            yield ("pairs", position, 0), pair[0]
            yield ("pairs", position, 1), pair[1]
        for position, text in enumerate(self.distractors):
            yield ("distractors", position), text
