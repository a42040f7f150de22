"""How a line of the log is written: for people, or as JSON for machines. What a student wrote is never in one."""

from __future__ import annotations

import logging
import os
import traceback
from types import TracebackType
from typing import Any, Literal

import structlog
from django.db import InterfaceError, OperationalError
from kombu.exceptions import KombuError
from redis.exceptions import RedisError
from structlog.typing import EventDict, Processor, WrappedLogger

Format = Literal["text", "json"]
# These say what failed around us. Others quote the value at fault, which may be a person's name, source or password.
SPEAKING = (OperationalError, InterfaceError, RedisError, KombuError)
# Libraries make kinds of OSError of their own, which quote what they asked for, with tokens in addresses.
SYSTEM = ("builtins", "socket", "ssl")
WITHHELD = "(what it says is withheld: it may quote what somebody wrote)"
# The request's own line has the route, and the frames of an exception stand below.
QUOTING = ("django.request", "django.security.csrf", "celery.app.trace")
# What lines may carry beside their words. Libraries add more, such as the whole request.
FACTS = ("method", "route", "status", "work", "submission", "verdict", "run_status", "cpu_ms", "ms")
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {0x2028: "\\u2028", 0x2029: "\\u2029"}


def formatter(form: Format) -> logging.Formatter:
    """Writes the lines of all loggers, ours and of libraries, with what was bound to the context."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(allow=FACTS),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_quotes,
        with_traceback,
        on_one_line,
    ]
    last: Processor = structlog.processors.JSONRenderer() if form == "json" else _as_text
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
    )


def without_quotes(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """What libraries add behind a colon is left out: paths with the secrets of links, and what exceptions say."""
    if event["logger"] in QUOTING:
        event["event"] = event["event"].partition(":")[0]
    return event


def with_traceback(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The frames and the kind of an exception, and what it says where that names nobody."""
    found = event.pop("exc_info", None)
    if isinstance(found, tuple) and found[0] is not None:
        event["exception"] = _told(*found)
    return event


def on_one_line(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Control characters are escaped, so that no value can look like another line, or move a terminal's cursor."""
    for name, value in event.items():
        if isinstance(value, str) and name != "exception":
            event[name] = value.translate(_ESCAPES)
    return event


def _told(kind: type[BaseException], error: BaseException, frames: TracebackType | None) -> str:
    lines = ["Traceback (most recent call last):\n", *traceback.format_tb(frames)]
    return "".join(lines) + f"{kind.__module__}.{kind.__qualname__}: {_words(error).translate(_ESCAPES)}"


def _words(error: BaseException) -> str:
    """What an exception says, where it is about what is around us; of a file's path no more than its folder."""
    if isinstance(error, SPEAKING):
        return str(error)
    if not isinstance(error, OSError) or type(error).__module__ not in SYSTEM:
        return WITHHELD
    if not isinstance(error.filename, str | bytes):
        return str(error)
    # An upload's ending is in the name of its file, which may be what somebody wrote.
    return f"[Errno {error.errno}] {error.strerror}: a file in {os.path.dirname(os.fsdecode(error.filename)) or '.'}"


def _as_text(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    """`moment LEVEL logger what happened, name=value`, and the frames of an exception below."""
    moment, level, logger = (event.pop(name) for name in ("timestamp", "level", "logger"))
    what, below = event.pop("event"), event.pop("exception", None)
    facts: dict[str, Any] = {name: value for name, value in event.items() if not name.startswith("_")}
    named = "".join(f" {name}={value}" for name, value in facts.items())
    return f"{moment} {level.upper()} {logger} {what}{named}" + (f"\n{below}" if below else "")
