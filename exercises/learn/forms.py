"""What browsers send, as services take it. Services judge the form of each field."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import Any

from django.http import HttpRequest

from exercises.models import Exercise
from exercises.queries import last_met_version
from exercises.responses import sent_fields, sent_response

KEY = "idempotency_key"


def sent_source(request: HttpRequest) -> str | None:
    """The source with the line ends that were typed: forms send CRLF whatever stood there."""
    source = request.POST.get("source")
    return None if source is None else source.replace("\r\n", "\n")


def sent_number(request: HttpRequest, name: str) -> int | str | None:
    """A whole number if it reads as one; else what was sent, for the service to refuse."""
    return read_number(request.POST.get(name))


def read_number(value: str | None) -> int | str | None:
    """The whole number that a text writes; the text itself where it writes none."""
    return int(value) if value is not None and value.isascii() and value.isdecimal() and len(value) < 10 else value


def sent_draft(request: HttpRequest, exercise: Exercise) -> dict[str, Any]:
    """What was written to this exercise: source of code, else the fields of the form as they stand."""
    version = last_met_version(exercise)
    if version is None or version.is_code:
        return {"source": sent_source(request)}
    return {"fields": sent_fields(request.POST)}


def is_by_button(request: HttpRequest) -> bool:
    """Whether a draft is saved by the button that is there without a script."""
    return request.POST.get("action") == "save"


def fresh_key() -> str:
    """A name for what a page will hand in: a form that is sent twice hands in once."""
    return secrets.token_urlsafe(12)


def sent_key(request: HttpRequest) -> str | None:
    """The idempotency key: a script's own, else that of the form, for as long as the same is written in it."""
    if (key := request.headers.get("Idempotency-Key")) is not None or not request.POST.get(KEY):
        return key
    fields = sorted((name, request.POST.getlist(name)) for name in request.POST if name != "csrfmiddlewaretoken")
    return f"form-{hashlib.sha256(json.dumps(fields).encode()).hexdigest()}"


def sent_hand_in(request: HttpRequest, exercise: Exercise) -> dict[str, Any]:
    """The fields of a hand-in to this exercise: source for code, else the response of its kind of question.

    Raises:
        InvalidFieldError: it cannot be told what a form means.
    """
    version = last_met_version(exercise)
    assert version is not None
    seen = sent_number(request, "version")
    if version.is_code:
        return {"source": sent_source(request), "version": seen}
    return {"response": sent_response(request.POST, version), "version": seen}
