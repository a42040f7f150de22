"""Questions that are judged from a response alone, without running anything."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from exercises.errors import QuestionNotDrawnError
from exercises.models import Exercise, User
from exercises.queries.definitions import definition_of
from graders.errors import DefinitionError
from graders.questions import kinds
from graders.questions.parameters import filled

logger = logging.getLogger(__name__)


def response_seed(student: User, exercise: Exercise) -> str:
    """What orders and names the options of this exercise for this student; always the same."""
    return salted_hmac("quizsite.response_seed", f"{exercise.pk}:{student.pk}", algorithm="sha256").hexdigest()


@contextmanager
def drawing(exercise: Exercise) -> Iterator[None]:
    """What a student's numbers make of the question, in it: where that is none, its author's fault is logged.

    Raises:
        QuestionNotDrawnError: in place of what the grader raised.
    """
    try:
        yield
    except DefinitionError as error:
        logger.error("exercise %s (%d) cannot be drawn for a student: %s", exercise, exercise.pk, error)
        raise QuestionNotDrawnError(
            _(
                "This question could not be drawn for you. That is a fault of the exercise, not yours: nothing is "
                "counted. Tell your teachers, who can correct it."
            )
        ) from error


def asked_question(student: User, exercise: Exercise) -> Mapping[str, Any]:
    """exercise.yaml with the student's own numbers in it. It holds the key: never sent out whole.

    Raises:
        QuestionNotDrawnError: they give no question.
    """
    with drawing(exercise):
        return filled(definition_of(exercise)["exercise"], response_seed(student, exercise))


def stated_prompt(student: User, exercise: Exercise) -> str:
    """The prompt with the student's own numbers, in Markdown. Raises: as `asked_question`."""
    with drawing(exercise):
        return kinds.prompt_of(definition_of(exercise)["exercise"], response_seed(student, exercise))


def response_form(student: User, exercise: Exercise) -> dict[str, Any]:
    """What the student's form of a question needs, as JSON: options with their ids, …; nothing of the key.

    Raises:
        QuestionNotDrawnError: as of `asked_question`.
    """
    with drawing(exercise):
        return kinds.form_of(definition_of(exercise)["exercise"], response_seed(student, exercise))


def response_schema(student: User, exercise: Exercise) -> dict[str, Any]:
    """The JSON schema of what the student hands in: `{"source"}` for code, else `{"response"}`.

    Raises:
        QuestionNotDrawnError: as of `asked_question`.
    """
    if exercise.is_code:
        return _object("source", {"type": "string", "description": "Python source, at most 256 KiB"})
    with drawing(exercise):
        schema = kinds.response_schema_of(definition_of(exercise)["exercise"], response_seed(student, exercise))
    return _object("response", schema)


def right_response(student: User, exercise: Exercise) -> object:
    """A right response to the student's own question; None where none can be made. Raises: as `asked_question`."""
    with drawing(exercise):
        return kinds.right_response_of(definition_of(exercise)["exercise"], response_seed(student, exercise))


def _object(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": [name], "properties": {name: schema}}
