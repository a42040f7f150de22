"""Code as a link: the text itself, compressed and signed, so that nothing is stored and a link never dies."""

from __future__ import annotations

from django.core import signing
from django.urls import reverse

from exercises.errors import InvalidFieldError, LinkError

LONGEST_TOKEN = 3_600
"""Servers take lines of about 4,000 characters; this is some 150 lines of code."""
_SALT = "shared-code"


def shared_url(source: str) -> str:
    """The path of a page that opens this code in the playground; empty where the code is too long for a link."""
    token = signing.dumps(source, salt=_SALT, compress=True)
    return reverse("learn:shared", args=(token,)) if len(token) <= LONGEST_TOKEN else ""


def shareable_url(source: str) -> str:
    """The same.

    Raises:
        InvalidFieldError: it is too long, or there is nothing to share.
    """
    if not source.strip():
        raise InvalidFieldError("source", "There is no code to share yet.")
    url = shared_url(source)
    if not url:
        raise InvalidFieldError("source", "This is too long for a link. Share the part that matters.")
    return url


def shared_source(token: str) -> str:
    """The code in a link.

    Raises:
        LinkError: the link was not made here, or was cut.
    """
    try:
        return str(signing.loads(token, salt=_SALT))
    except signing.BadSignature as error:
        raise LinkError("This link is not complete. Ask for it again, and copy all of it.") from error
