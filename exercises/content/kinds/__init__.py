"""Which kinds of exercise there are. A new kind is a module here and a line in `KINDS`."""

from exercises.content.kinds.choice import Choice
from exercises.content.kinds.code import Code
from exercises.content.kinds.common import Exercise
from exercises.content.kinds.numeric import Numeric
from exercises.content.kinds.script import Script

KINDS: dict[str, type[Exercise]] = {"choice": Choice, "numeric": Numeric, "code": Code, "script": Script}

# Kinds of the format that have no grader yet.
LATER_KINDS = frozenset({"text", "tensor", "blanks", "ordering", "matching", "explain"})

__all__ = ["KINDS", "LATER_KINDS", "Exercise"]
