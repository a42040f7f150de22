"""One line for each request, and an id for it that stands in all lines that it causes. No line says who asked."""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bound_contextvars

logger = logging.getLogger(__name__)

HEADER = "X-Request-ID"
GIVEN = re.compile(r"[A-Za-z0-9-]{8,64}")
# Asked every few seconds by whoever watches the site, and knows what is wrong.
WATCHED = {"healthz", "servez", "readyz", "metrics"}


class RequestLog:
    """Middleware. An id that a trusted proxy gave is kept; what a visitor sends as one is not."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        request_id = _id_of(request)
        with bound_contextvars(request_id=request_id):
            response = self._get_response(request)
            _log(request, response.status_code, time.perf_counter() - started)
        response.headers[HEADER] = request_id
        return response


def _id_of(request: HttpRequest) -> str:
    given = request.headers.get(HEADER, "") if settings.BEHIND_PROXY else ""
    return given if GIVEN.fullmatch(given) else uuid.uuid4().hex


def _log(request: HttpRequest, status: int, seconds: float) -> None:
    match = request.resolver_match
    route = match.view_name if match else "none"
    if route in WATCHED:
        return
    facts = {"method": request.method, "route": route, "status": status, "ms": round(seconds * 1000)}
    logger.info("answered", extra=facts)
