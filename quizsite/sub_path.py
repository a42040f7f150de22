"""The path below which the site lies, where its host belongs to something else: `https://example.edu/learn/torch/`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import ImproperlyConfigured

# As the site's own addresses begin: below a path that begins so, nobody could tell which of the two is meant.
OWN = frozenset(
    {
        "account",
        "api",
        "author",
        "courses",
        "events",
        "healthz",
        "history",
        "inbox",
        "join",
        "metrics",
        "operations",
        "playground",
        "preview",
        "progress",
        "questions",
        "readyz",
        "refusals",
        "reviews",
        "runs",
        "schema",
        "search",
        "servez",
        "sign-in",
        "static",
        "submissions",
        "teach",
        "your-data",
    }
)
_SHAPE = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def read_sub_path(text: str) -> str:
    """The path, without a slash at its end; empty for a host of the site's own.

    Raises: ImproperlyConfigured for what is no such path, or begins as the site's own addresses do.
    """
    if text in {"", "/"}:
        return ""
    path = text.removesuffix("/")
    if not _SHAPE.fullmatch(path):
        raise ImproperlyConfigured(f"QUIZSITE_SUB_PATH must be a path such as /learn/torch, not {text!r}.")
    if path.split("/")[1] in OWN:
        raise ImproperlyConfigured(f"QUIZSITE_SUB_PATH must not begin as the site's own addresses do: {text!r}.")
    return path


class BelowPath:
    """A WSGI application below a path: told of requests without it, whether or not the proxy has cut it off already."""

    def __init__(self, application: Wsgi, sub_path: str) -> None:
        self._application = application
        self._sub_path = sub_path

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        if path == self._sub_path or path.startswith(f"{self._sub_path}/"):
            environ = {**environ, "PATH_INFO": path.removeprefix(self._sub_path) or "/"}
        return self._application(environ, start_response)
