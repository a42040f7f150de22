"""What a service refuses, as an HTTP answer that names the field or the reason."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound, Throttled, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler

from exercises.errors import (
    ExerciseClosedError,
    ExerciseError,
    InvalidFieldError,
    KeyReusedError,
    NoAttemptsLeftError,
    NotOpenYetError,
    NotStartedError,
    QuestionNotDrawnError,
    TimeOverError,
    TooManyRunsError,
    VersionChangedError,
)


class ConflictError(APIException):
    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class RefusedError(APIException):
    status_code = status.HTTP_403_FORBIDDEN
    default_code = "refused"


STATUS_OF: dict[type[ExerciseError], type[APIException]] = {
    ExerciseClosedError: ConflictError,
    NotOpenYetError: ConflictError,
    NotStartedError: ConflictError,
    TimeOverError: ConflictError,
    QuestionNotDrawnError: ConflictError,
    KeyReusedError: ConflictError,
    VersionChangedError: ConflictError,
    NoAttemptsLeftError: RefusedError,
}


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to what a view raised; none for a fault of ours, which Django logs and answers with 500.

    It is JSON, also to clients that asked for a zip or a table.
    """
    answer_in_json(context["request"])
    response: Response | None = exception_handler(_translated(error), context)
    return response


def answer_in_json(request: Request) -> None:
    """Whatever form the client asked for: a call that answers with files has more to say than files."""
    request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type


def _translated(error: Exception) -> Exception:
    said: Exception = error
    if isinstance(error, ObjectDoesNotExist):
        said = NotFound()
    elif isinstance(error, InvalidFieldError):
        said = ValidationError({error.field: [str(error)]})
    elif isinstance(error, TooManyRunsError):
        said = Throttled(error.retry_after, str(error))
    elif isinstance(error, ExerciseError):
        said = STATUS_OF.get(type(error), RefusedError)(str(error))
    return said
