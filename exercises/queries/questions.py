"""Questions that are judged from a response alone, without running anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.crypto import salted_hmac

from exercises.models import Exercise, User
from exercises.queries.definitions import definition_of
from graders.questions import kinds
from graders.questions.parameters import filled


def response_seed(student: User, exercise: Exercise) -> str:
    """What orders and names the options of this exercise for this student; always the same."""
    return salted_hmac("quizsite.response_seed", f"{exercise.pk}:{student.pk}", algorithm="sha256").hexdigest()


def asked_question(student: User, exercise: Exercise) -> Mapping[str, Any]:
    """exercise.yaml with the student's own numbers in it. It holds the key: never sent out whole."""
    return filled(definition_of(exercise)["exercise"], response_seed(student, exercise))


def stated_prompt(student: User, exercise: Exercise) -> str:
    """The prompt with the student's own numbers, in Markdown."""
    return kinds.prompt_of(definition_of(exercise)["exercise"], response_seed(student, exercise))


def response_form(student: User, exercise: Exercise) -> dict[str, Any]:
    """What the student's form of a question needs, as JSON: options with their ids, …; nothing of the key."""
    return kinds.form_of(definition_of(exercise)["exercise"], response_seed(student, exercise))


def response_schema(student: User, exercise: Exercise) -> dict[str, Any]:
    """The JSON schema of what the student hands in: `{"source"}` for code, else `{"response"}`."""
    if exercise.is_code:
        return _object("source", {"type": "string", "description": "Python source, at most 256 KiB"})
    schema = kinds.response_schema_of(definition_of(exercise)["exercise"], response_seed(student, exercise))
    return _object("response", schema)


def _object(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": [name], "properties": {name: schema}}
