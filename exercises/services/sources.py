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
