"""Which kinds of exercise there are. A new kind is a module here and a line in `KINDS`."""

from exercises.content.kinds.blanks import Blanks
from exercises.content.kinds.choice import Choice
from exercises.content.kinds.code import Code
from exercises.content.kinds.common import Exercise
from exercises.content.kinds.explain import Explain
from exercises.content.kinds.matching import Matching
from exercises.content.kinds.numeric import Numeric
from exercises.content.kinds.ordering import Ordering
from exercises.content.kinds.script import Script
from exercises.content.kinds.tensor import TypedTensor
from exercises.content.kinds.text import ShortText

KINDS: dict[str, type[Exercise]] = {
    "choice": Choice,
    "numeric": Numeric,
    "text": ShortText,
    "tensor": TypedTensor,
    "blanks": Blanks,
    "ordering": Ordering,
    "matching": Matching,
    "explain": Explain,
    "code": Code,
    "script": Script,
}

__all__ = ["KINDS", "Exercise"]
