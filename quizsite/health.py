"""Three questions of a proxy or an operator: does the process live, may it serve, does everything work?"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from exercises import runner_status

BROKER_SECONDS = 0.5


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200: the process lives."""
    return JsonResponse({"status": "ok"})


@require_safe
@never_cache
def servez(request: HttpRequest) -> HttpResponse:
    """200 if the database answers: pages can be served, whatever becomes of the runner."""
    return _answer({"database": _database()})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 if database, broker, worker and runner all work, with the isolation that workers last reported.

    Of several runners one that answers is enough, and each that answers has to be isolated.
    """
    status = runner_status.overall(runner_status.every())
    parts = {"database": _database(), "broker": _broker(), "runner": _runner(status)}
    facts: dict[str, Any] = {"isolation": status.isolation if status else "unknown"}
    if status and settings.IS_EMBEDDED:
        facts["open_layers"] = status.open_layers
    return _answer(parts, **facts)


def _answer(parts: dict[str, str], **facts: Any) -> HttpResponse:
    is_well = all(said == "ok" for said in parts.values())
    body = {"status": "ok" if is_well else "unavailable", **parts, **facts}
    response = JsonResponse(body, status=200 if is_well else 503)
    # Django would log each 503 as an error, and proxies ask every few seconds.
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark
    return response


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "away"
    return "ok"


def _broker() -> str:
    client = Redis.from_url(settings.REDIS_URL, socket_timeout=BROKER_SECONDS, socket_connect_timeout=BROKER_SECONDS)
    try:
        with client:
            client.ping()
    except RedisError:
        return "away"
    return "ok"


def _runner(status: runner_status.RunnerStatus | None) -> str:
    """Whether a worker has lately seen its runner work, isolated as this mode demands."""
    if status is None:
        return "no report"
    if not runner_status.is_fresh(status):
        return "no recent report"
    if status.fault:
        return "away"
    if status.isolation != runner_status.TIGHT and not settings.IS_EMBEDDED:
        return "isolation is reduced"
    return "ok"
