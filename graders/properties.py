"""The closed vocabulary of properties that an output can be asked to have, and how one is written.

`word(arguments, numbers, keyword=number)`: `sums_to(output, 1, dim=-1)`, `causal(key, value, dim=-2)`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from graders.errors import DefinitionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """How one word is written. `arguments`: "output" (or a part of it), "one" or "some" arguments of the reference.

    `numbers` stand by position, `keywords` by name; all of them are required.
    """

    arguments: str
    numbers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


WORDS: Final[Mapping[str, Word]] = {
    "sums_to": Word(arguments="output", numbers=("total",), keywords=("dim",)),
    "bounded": Word(arguments="output", numbers=("low", "high")),
    "non_negative": Word(arguments="output"),
    "finite": Word(arguments="output"),
    "symmetric": Word(arguments="output"),
    "orthonormal": Word(arguments="output", keywords=("dim",)),
    "unit_norm": Word(arguments="output", keywords=("dim",)),
    "monotone": Word(arguments="output", keywords=("dim",)),
    "deterministic": Word(arguments="output"),
    "causal": Word(arguments="some", keywords=("dim",)),
    "equivariant": Word(arguments="some", keywords=("dim",)),
    "invariant": Word(arguments="some", keywords=("dim",)),
    "shift_invariant": Word(arguments="one"),
    "homogeneous": Word(arguments="one", keywords=("degree",)),
    "odd": Word(arguments="one"),
    "even": Word(arguments="one"),
    "idempotent": Word(arguments="one"),
}

_WHOLE: Final = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")
_NUMBER: Final = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_KEYWORD: Final = re.compile(r"(\w+)\s*=\s*([-+]?\d+)")
_OUTPUT: Final = re.compile(r"output((?:\[(?:-?\d+|\"[^\"\[\],]*\")\])*)")
_STEP: Final = re.compile(r"\[(-?\d+|\"[^\"]*\")\]")
_LARGEST: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A property as an exercise asks for it.

    `names` are arguments of the reference, `path` leads to a part of the output, `numbers` has the numbers by name.
    """

    word: str
    names: tuple[str, ...] = ()
    path: tuple[int | str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)

    @property
    def dim(self) -> int:
        """The axis that it speaks of."""
        return int(self.numbers["dim"])


def parse_property(text: str) -> Property:
    """The property that `text` says.

    Raises:
        DefinitionError: an unknown word, or other arguments than it takes.
    """
    whole = _WHOLE.fullmatch(text)
    if whole is None or whole[1] not in WORDS:
        raise DefinitionError("property", f"expected one of {', '.join(WORDS)} with its arguments, found {text!r}")
    word = WORDS[whole[1]]
    parts = [part.strip() for part in whole[2].split(",")] if whole[2].strip() else []
    keywords = [(found[1], found[2]) for part in parts if (found := _KEYWORD.fullmatch(part))]
    numbers = [part for part in parts if _NUMBER.fullmatch(part)]
    subjects = [part for part in parts if not _KEYWORD.fullmatch(part) and not _NUMBER.fullmatch(part)]
    in_order = [*subjects, *numbers, *(part for part in parts if _KEYWORD.fullmatch(part))]
    fits = (
        len(numbers) == len(word.numbers) and tuple(name for name, _ in keywords) == word.keywords and in_order == parts
    )
    if not fits or not _subjects_fit(subjects, word) or any(abs(int(value)) > _LARGEST for _, value in keywords):
        raise DefinitionError("property", f"expected {form_of(whole[1])}, found {text!r}")
    named = {
        **{name: float(number) for name, number in zip(word.numbers, numbers, strict=True)},
        **{name: float(value) for name, value in keywords},
    }
    if word.arguments == "output":
        return Property(word=whole[1], path=_path(subjects[0]), numbers=named)
    return Property(word=whole[1], names=tuple(subjects), numbers=named)


def form_of(word: str) -> str:
    """How the word is written: `causal(argument, …, dim=axis)`."""
    kind = WORDS[word]
    subject = {"output": "output", "one": "argument", "some": "argument, …"}[kind.arguments]
    return f"{word}({', '.join([subject, *kind.numbers, *(f'{name}=…' for name in kind.keywords)])})"


def _subjects_fit(subjects: list[str], word: Word) -> bool:
    if word.arguments == "output":
        return len(subjects) == 1 and _OUTPUT.fullmatch(subjects[0]) is not None
    if not subjects or (word.arguments == "one" and len(subjects) > 1) or len(set(subjects)) < len(subjects):
        return False
    return all(name.isidentifier() and name != "output" for name in subjects)


def _path(subject: str) -> tuple[int | str, ...]:
    return tuple(step.strip('"') if step.startswith('"') else int(step) for step in _STEP.findall(subject))
