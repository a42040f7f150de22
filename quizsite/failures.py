"""What is answered when something of ours failed: in JSON to a program, as a page to a person."""

from __future__ import annotations

import sys

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from structlog.contextvars import get_contextvars

API = "/api/"
RETRY_SECONDS = 5
_FAULT = "A fault of ours. It has been noted; nothing that was handed in before is lost."
_UNAVAILABLE = "The database does not answer at the moment, and nothing was stored. Try again in a few seconds."


def server_error(request: HttpRequest) -> HttpResponse:
    """500; or 503 with a time to try again, where the database is away or cannot write."""
    if not isinstance(sys.exc_info()[1], OperationalError):
        return _answer(request, 500, _FAULT)
    response = _answer(request, 503, _UNAVAILABLE)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _answer(request: HttpRequest, status: int, detail: str) -> HttpResponse:
    if request.path_info.startswith(API):
        return JsonResponse({"detail": detail, "request_id": _request_id()}, status=status)
    return HttpResponse(render_to_string(f"{status}.html", {"request_id": _request_id()}), status=status)


def _request_id() -> str:
    """What the lines of the log about this request carry."""
    return str(get_contextvars().get("request_id", ""))
