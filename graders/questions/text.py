"""A word or a short text, matched against what the author accepts."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import re2

from graders import feedback
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Outcome
from graders.questions.responses import flag_field, list_field, text_field
from graders.scoring import outcome_of_share

MAX_CHARACTERS: Final = 1000
_MAX_PATTERN: Final = 500
_MEMORY_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What is right: a text word for word, or a pattern that the whole response must match."""

    exact: str = ""
    pattern: Any = None
    ignore_case: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongText:
    """A pattern found somewhere in a wrong response, and what to say to it."""

    pattern: Any
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextQuestion:
    accept: tuple[Accepted, ...]
    feedback: tuple[WrongText, ...] = ()


def from_definition(exercise: Mapping[str, Any], *, at: str = "") -> TextQuestion:
    """The question that exercise.yaml declares; `at` names the place of its fields where they are not at the top.

    Raises:
        DefinitionError: a field has a wrong type, or a pattern cannot be matched in linear time.
    """
    accept = tuple(
        _accepted(item, f"{at}accept[{place}].") for place, item in enumerate(list_field(exercise, "accept", at=at))
    )
    if not accept:
        raise DefinitionError(f"{at}accept", "expected at least one text or pattern")
    said = tuple(
        WrongText(
            pattern=_compiled(item, f"{at}feedback[{place}].", ignore_case=True),
            text=text_field(item, "text", at=f"{at}feedback[{place}]."),
        )
        for place, item in enumerate(list_field(exercise, "feedback", at=at))
    )
    return TextQuestion(accept=accept, feedback=said)


def form(question: TextQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: nothing but a field."""
    return {}


def response_schema(question: TextQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response."""
    return {"type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS}


def grade(question: TextQuestion, response: object, seed: str = "") -> Outcome:
    """The outcome of a text; how many spaces stand in it does not matter.

    Raises:
        ResponseError: it is no text, empty, or too long.
    """
    text = read_text(response)
    if is_right(question, text):
        return outcome_of_share(Fraction(1), feedback.of_right_response())
    return outcome_of_share(Fraction(0), feedback.of_wrong_text(remark(question, text)))


def right_response(question: TextQuestion, seed: str = "") -> object:
    """A text that is accepted; None where the key has patterns only."""
    return next((accepted.exact for accepted in question.accept if accepted.exact), None)


def is_right(question: TextQuestion, text: str) -> bool:
    """Whether a text from `read_text` is accepted."""
    return any(_matches(accepted, text) for accepted in question.accept)


def remark(question: TextQuestion, text: str) -> str:
    """What the author says to a wrong text, or ""."""
    return next((wrong.text for wrong in question.feedback if wrong.pattern.search(text)), "")


def read_text(response: object) -> str:
    """The response in one form of Unicode, with single spaces.

    Raises:
        ResponseError: it is no text, empty, or too long.
    """
    if not isinstance(response, str):
        raise ResponseError("expected a text")
    if len(response) > MAX_CHARACTERS:
        raise ResponseError(f"expected at most {MAX_CHARACTERS} characters, found {len(response)}")
    text = _plain(response)
    if not text:
        raise ResponseError("expected a text, found nothing")
    return text


def _plain(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode()
    return " ".join(unicodedata.normalize("NFC", whole).split())


def _matches(accepted: Accepted, text: str) -> bool:
    if accepted.pattern is not None:
        return accepted.pattern.fullmatch(text) is not None
    if accepted.ignore_case:
        return text.casefold() == accepted.exact.casefold()
    return text == accepted.exact


def _accepted(item: Mapping[str, Any], at: str) -> Accepted:
    ignore_case = flag_field(item, "ignore_case", at=at)
    exact = _plain(text_field(item, "exact", at=at))
    if bool(exact) == bool(item.get("pattern")):
        raise DefinitionError(at.rstrip("."), "expected either exact or pattern")
    if exact:
        return Accepted(exact=exact, ignore_case=ignore_case)
    return Accepted(pattern=_compiled(item, at, ignore_case=ignore_case), ignore_case=ignore_case)


def _compiled(item: Mapping[str, Any], at: str, *, ignore_case: bool) -> Any:
    pattern = text_field(item, "pattern", at=at)
    if not 0 < len(pattern) <= _MAX_PATTERN:
        raise DefinitionError(f"{at}pattern", f"expected a pattern of at most {_MAX_PATTERN} characters")
    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.max_mem = _MEMORY_BYTES
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        raise DefinitionError(f"{at}pattern", f"cannot be matched in linear time: {reason}") from error
