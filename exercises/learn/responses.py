"""What the form of a question sends, as the response that services take. Graders judge its form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from exercises.choices import Kind
from exercises.errors import InvalidFieldError
from exercises.learn.literals import read_literal
from exercises.models import ExerciseVersion

GAP, PLACE, INDENT, PAIR = "gap-", "place-", "indent-", "pair-"
"""How the names of fields begin; a gap's name or an id follows."""


def sent_response(sent: QueryDict, version: ExerciseVersion) -> Any:
    """The response in a form of this version; None where there is none.

    Raises:
        InvalidFieldError: it cannot be told what is meant.
    """
    read = _READERS.get(Kind(version.kind), _text)
    return read(sent, version.definition["exercise"])


def _text(sent: QueryDict, question: dict[str, Any]) -> Any:
    response = sent.get("response")
    return None if response is None else response.replace("\r\n", "\n")


def _choice(sent: QueryDict, question: dict[str, Any]) -> Any:
    return sent.getlist("response") if question.get("multiple") else sent.get("response")


def _tensor(sent: QueryDict, question: dict[str, Any]) -> Any:
    response = sent.get("response")
    return None if response is None else read_literal(response)


def _blanks(sent: QueryDict, question: dict[str, Any]) -> Any:
    return _named(sent, GAP) or None


def _matching(sent: QueryDict, question: dict[str, Any]) -> Any:
    chosen = _named(sent, PAIR)
    if not all(chosen.values()):
        raise InvalidFieldError("response", _("Choose something for each one on the left."))
    return chosen or None


def _ordering(sent: QueryDict, question: dict[str, Any]) -> Any:
    places = {name: _whole(place) for name, place in _named(sent, PLACE).items() if place}
    if not places:
        raise InvalidFieldError("response", _("Give each line that belongs its place."))
    taken = list(places.values())
    twice = next((place for place in taken if taken.count(place) > 1), None)
    if twice is not None:
        raise InvalidFieldError("response", _("Two lines have the place %(place)d.") % {"place": twice})
    ordered = sorted(places, key=lambda name: places[name])
    indents = _named(sent, INDENT) if question.get("indent") else {}
    return [[name, _whole(indents.get(name) or "0")] for name in ordered]


def _named(sent: QueryDict, beginning: str) -> dict[str, str]:
    """The fields whose names begin so, by the rest of their names."""
    return {name.removeprefix(beginning): str(sent[name]) for name in sent if name.startswith(beginning)}


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise InvalidFieldError("response", _("A place or an indentation is no whole number."))
    return int(text)


_READERS: dict[Kind, Callable[[QueryDict, dict[str, Any]], Any]] = {
    Kind.CHOICE: _choice,
    Kind.TENSOR: _tensor,
    Kind.BLANKS: _blanks,
    Kind.ORDERING: _ordering,
    Kind.MATCHING: _matching,
}
