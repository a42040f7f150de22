"""Reads a request's JSON, and refuses what could not be stored."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

from exercises.content.zips import LARGEST_ZIP_BYTES

MEBIBYTE = 1024 * 1024
LARGEST_IN_MEMORY = 2 * MEBIBYTE
# Digits of the largest whole number that still fits a double.
LONGEST_INTEGER = 308


class TooLargeError(APIException):
    status_code = 413
    default_code = "too_large"


class ZipParser(BaseParser):
    """A zip as a file that can be read at any place: in memory while it is small, on the disk from then on."""

    media_type = "application/zip"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The file. Raises: TooLargeError."""
        file = tempfile.SpooledTemporaryFile(max_size=LARGEST_IN_MEMORY)  # noqa: SIM115  (whoever asked for it closes it)
        size = 0
        while piece := stream.read(MEBIBYTE):
            size += len(piece)
            if size > LARGEST_ZIP_BYTES:
                file.close()
                raise TooLargeError(f"A zip may be at most {LARGEST_ZIP_BYTES // MEBIBYTE} MB long.")
            file.write(piece)
        return file


class StoredJSONParser(BaseParser):
    """JSON whose text can be stored: UTF-8, no NUL, no halves of surrogate pairs, no NaN, not nested too deep."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """The value in the body. Raises: TooLargeError; ParseError for anything that is not such JSON."""
        largest = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(largest + 1)
        if len(body) > largest:
            raise TooLargeError(f"The body may be at most {largest // MEBIBYTE} MB long.")
        try:
            value = json.loads(
                body.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_float, parse_int=_integer
            )
            refuse_unstorable(value, "body")
        except RecursionError:
            raise ParseError("The JSON is nested too deep.") from None
        except UnicodeDecodeError:
            raise ParseError("The body is not UTF-8.") from None
        except ValueError as error:
            raise ParseError(f"The body is not JSON: {error}") from None
        return value


def refuse_unstorable(value: Any, where: str) -> None:
    """Raises: ParseError that names the field where text holds NUL or half of a surrogate pair."""
    if isinstance(value, str):
        _refuse_text(value, where)
    elif isinstance(value, list):
        for item in value:
            refuse_unstorable(item, where)
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_text(key, "the name of a field")
            refuse_unstorable(item, key if where == "body" else where)


def _refuse_text(text: str, where: str) -> None:
    if "\0" in text:
        raise ParseError({where: ["Text may not hold the character NUL."]})
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ParseError({where: ["Text may not hold half of a surrogate pair."]}) from None


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def _integer(text: str) -> int:
    if len(text) > LONGEST_INTEGER:
        raise ValueError("a number is too large")
    return int(text)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
