"""What a line of the log says, and what it never says."""

import json
import logging
import smtplib
import socket
import sys

import pytest
import requests
from django.db import OperationalError
from structlog.contextvars import bound_contextvars

from quizsite.log_lines import WITHHELD, formatter
from quizsite.logs import FAULT

HOSTILE = "a\r\n2026-11-30T00:00:00Z ERROR quizsite all is lost\x1b[2J\u2028"


def line(form, message, *arguments, level=logging.INFO, name="quizsite.test", error=None, **extra):
    info = None
    if error is not None:
        try:
            raise error
        except type(error):
            info = sys.exc_info()
    record = logging.getLogger(name).makeRecord(name, level, "", 0, message, arguments, info, extra=extra)
    return formatter(form).format(record)


def test_line_of_json_has_what_happened_with_its_facts():
    with bound_contextvars(request_id="r-1"):
        said = json.loads(line("json", "handed in", submission=7, work="grading-9"))

    assert said.pop("timestamp").endswith("Z")
    assert said == {
        "event": "handed in",
        "level": "info",
        "logger": "quizsite.test",
        "request_id": "r-1",
        "submission": 7,
        "work": "grading-9",
    }


def test_line_of_text_says_the_same_in_words():
    with bound_contextvars(request_id="r-1"):
        said = line("text", "handed in", submission=7)

    assert said.split(" ", 1)[1] == "INFO quizsite.test handed in request_id=r-1 submission=7"


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_value_looks_like_a_line_of_its_own(form):
    said = line(form, "said %s", HOSTILE, verdict=HOSTILE)

    assert said.splitlines() == [said]
    assert "\x1b" not in said
    assert "all is lost" in said


@pytest.mark.parametrize("form", ["text", "json"])
def test_exception_tells_its_kind_and_place_and_not_what_was_written(form):
    said = line(form, "failed", level=logging.ERROR, error=ValueError("secret source of Ada"))

    assert "secret" not in said
    assert "builtins.ValueError" in said
    assert "test_log_lines.py" in said


def test_exception_about_what_is_around_us_is_told_whole():
    said = line("text", "failed", level=logging.ERROR, error=OperationalError("the server closed the connection"))

    assert said.endswith("OperationalError: the server closed the connection")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left on device"), "OSError: [Errno 28] No space left on device"),
        (
            PermissionError(13, "Permission denied", "/data/tmp1.upload.Ada"),
            "PermissionError: [Errno 13] Permission denied: a file in /data",
        ),
        (FileNotFoundError(2, "No such file", b"Ada"), "FileNotFoundError: [Errno 2] No such file: a file in ."),
        (socket.gaierror(-2, "Name or service not known"), "gaierror: [Errno -2] Name or service not known"),
        (OSError(9, "Bad file descriptor", 7), "OSError: [Errno 9] Bad file descriptor: 7"),
        (TimeoutError("timed out"), "TimeoutError: timed out"),
    ],
)
def test_exception_of_the_system_tells_of_a_file_only_its_folder(error, told):
    assert line("text", "failed", level=logging.ERROR, error=error).endswith(told)


@pytest.mark.parametrize(
    "error",
    [
        requests.ConnectionError("Max retries exceeded with url: /token?code=Ada"),
        smtplib.SMTPRecipientsRefused({"Ada@example.org": (550, b"unknown")}),
    ],
)
def test_what_libraries_say_is_withheld_though_it_counts_as_of_the_system(error):
    said = line("text", "failed", level=logging.ERROR, error=error)

    assert isinstance(error, OSError)
    assert said.endswith(WITHHELD)


def test_only_facts_that_are_named_are_told():
    assert "Ada" not in line("json", "answered", status=200, request="Ada", user="Ada")


@pytest.mark.parametrize(
    ("name", "message", "told"),
    [
        ("django.request", "Internal Server Error: /join/secret/", "Internal Server Error"),
        ("django.security.csrf", "Forbidden (CSRF cookie not set.): /join/secret/", "Forbidden (CSRF cookie not set.)"),
        ("django.security.csrf", "Forbidden (Referer checking failed - https://a/join/secret/ does not match.): /", ""),
        (
            "celery.app.trace",
            "Task sweep[7] raised unexpected: ValueError('secret')",
            "Task sweep[7] raised unexpected",
        ),
    ],
)
def test_what_libraries_quote_is_left_out(name, message, told):
    said = line("text", message, name=name, level=logging.ERROR)

    assert f"ERROR {name} {told}" in said
    assert "secret" not in said


@pytest.mark.parametrize("form", ["text", "json"])
def test_supervisor_knows_a_fault_in_either_form(form):
    assert FAULT.search(line(form, "gone", level=logging.ERROR))
    assert not FAULT.search(line(form, "here"))
