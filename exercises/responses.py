"""What the form of a question sends, as the response that services take. Graders judge its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from exercises.choices import Kind
from exercises.errors import InvalidFieldError
from exercises.literals import read_literal
from exercises.models import ExerciseVersion

GAP, PLACE, INDENT, PAIR = "gap-", "place-", "indent-", "pair-"
"""How the names of fields begin; a gap's name or an id follows."""
WHOLE = "response"
"""The name of the field where one holds it all."""

Sent = MultiValueDict[str, Any]
Fields = Mapping[str, list[str]]
"""The fields of a question's form as they stand, right or not: what a draft keeps."""


def sent_fields(sent: Sent) -> dict[str, list[str]]:
    """What stands in the fields of a question's form, in any state; other fields are left out."""
    beginnings = (GAP, PLACE, INDENT, PAIR)
    names = sorted(name for name in sent if name == WHOLE or name.startswith(beginnings))
    return {name: [str(value).replace("\r\n", "\n") for value in sent.getlist(name)] for name in names}


def is_blank(fields: Fields) -> bool:
    """Whether nothing was chosen or typed; an indentation by itself is nothing."""
    written = (values for name, values in fields.items() if not name.startswith(INDENT))
    return not any(value.strip() for values in written for value in values)


def response_of_fields(fields: Fields, version: ExerciseVersion) -> Any:
    """The response that the fields mean. Raises: as `sent_response`."""
    return sent_response(MultiValueDict({name: list(values) for name, values in fields.items()}), version)


def sent_response(sent: Sent, version: ExerciseVersion) -> Any:
    """The response in a form of this version; None where there is none.

    Raises:
        InvalidFieldError: it cannot be told what is meant.
    """
    read = _READERS.get(Kind(version.kind), _text)
    return read(sent, version.definition["exercise"])


def _text(sent: Sent, question: dict[str, Any]) -> Any:
    response = sent.get(WHOLE)
    return None if response is None else response.replace("\r\n", "\n")


def _choice(sent: Sent, question: dict[str, Any]) -> Any:
    return sent.getlist(WHOLE) if question.get("multiple") else sent.get(WHOLE)


def _tensor(sent: Sent, question: dict[str, Any]) -> Any:
    response = sent.get(WHOLE)
    return None if response is None else read_literal(response)


def _blanks(sent: Sent, question: dict[str, Any]) -> Any:
    return _named(sent, GAP) or None


def _matching(sent: Sent, question: dict[str, Any]) -> Any:
    chosen = _named(sent, PAIR)
    if not all(chosen.values()):
        raise InvalidFieldError("response", _("Choose something for each one on the left."))
    return chosen or None


def _ordering(sent: Sent, question: dict[str, Any]) -> Any:
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


def _named(sent: Sent, beginning: str) -> dict[str, str]:
    """The fields whose names begin so, by the rest of their names."""
    return {name.removeprefix(beginning): str(sent[name]) for name in sent if name.startswith(beginning)}


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise InvalidFieldError("response", _("A place or an indentation is no whole number."))
    return int(text)


_READERS: dict[Kind, Callable[[Sent, dict[str, Any]], Any]] = {
    Kind.CHOICE: _choice,
    Kind.TENSOR: _tensor,
    Kind.BLANKS: _blanks,
    Kind.ORDERING: _ordering,
    Kind.MATCHING: _matching,
}
