"""Why staff did something, in their words."""

from __future__ import annotations

from typing import Any

from exercises.errors import InvalidFieldError

LONGEST_REASON = 2000


def checked_reason(reason: Any, *, is_needed: bool = True) -> str:
    """The reason without space around it. Raises: InvalidFieldError where it is missing, too long or no text."""
    if not isinstance(reason, str) or "\0" in reason or len(reason) > LONGEST_REASON:
        raise InvalidFieldError("reason", f"The reason must be a text of at most {LONGEST_REASON} characters.")
    if is_needed and not reason.strip():
        raise InvalidFieldError("reason", "Say why: the reason is kept in the record of the course.")
    return reason.strip()
