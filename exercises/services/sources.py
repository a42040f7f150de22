from collections.abc import Iterator
from typing import Any

from exercises.errors import InvalidFieldError

LARGEST_SOURCE_BYTES = 256 * 1024


def checked_source(source: Any) -> str:
    """The source as it was sent, not trimmed.

    Raises:
        InvalidFieldError: it is no string, too large, or holds what no source file can hold.
    """
    if not isinstance(source, str):
        raise InvalidFieldError("source", "The source must be a string.")
    try:
        size = len(source.encode())
    except UnicodeEncodeError as error:
        raise InvalidFieldError("source", f"Character {error.start + 1} of the source is not valid Unicode.") from error
    if size > LARGEST_SOURCE_BYTES:
        raise InvalidFieldError("source", f"The source has {size} bytes; at most {LARGEST_SOURCE_BYTES} are taken.")
    if "\0" in source:
        raise InvalidFieldError("source", "The source holds a NUL character.")
    return source


def checked_response(response: Any) -> Any:
    """The response as it was sent; whether it answers the question is for the grader to say.

    Raises:
        InvalidFieldError: it is missing, or holds a character that cannot be stored.
    """
    if response is None:
        raise InvalidFieldError("response", "A response is required.")
    for text in _texts(response):
        if "\0" in text or not text.isascii() and text.encode(errors="ignore").decode() != text:
            raise InvalidFieldError("response", "The response holds a character that is no text.")
    return response


def _texts(response: Any) -> Iterator[str]:
    left = [response]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            left.extend(value)
        elif isinstance(value, dict):
            left.extend([*value, *value.values()])
