"""Bodies of requests, before a thread has to wait for them: ten slow ones would hold all threads of the site."""

from __future__ import annotations

import asyncio
import re
import tempfile
from dataclasses import dataclass
from typing import IO

from django.conf import settings
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exercises.content.zips import LARGEST_ZIP_BYTES

MEBIBYTE = 1024 * 1024
BODY_SECONDS = 20.0
# What the application still refuses in its own words (DATA_UPLOAD_MAX_MEMORY_SIZE) lies below.
LARGEST_BODY_BYTES = 3 * MEBIBYTE

# Courses come as zip files, over the API and from a form, which puts some words around them.
UPLOADS = re.compile(
    rf"(?:{re.escape(settings.SUB_PATH)})?(?:/api/v1/courses/[^/]+/content/|/author/courses/[^/]+/upload/)"
)
UPLOAD_SECONDS = 120.0
LARGEST_UPLOAD_BYTES = LARGEST_ZIP_BYTES + MEBIBYTE


class WholeBodies:
    """Hands a request on once all of its body is there; one that is too slow or too large is answered here.

    A body that is larger than most lies on the disk meanwhile.
    """

    def __init__(self, app: ASGIApp, *, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_upload = UPLOADS.fullmatch(scope.get("path", "")) is not None
        largest = LARGEST_UPLOAD_BYTES if is_upload else LARGEST_BODY_BYTES
        with tempfile.SpooledTemporaryFile(max_size=LARGEST_BODY_BYTES) as body:
            try:
                async with asyncio.timeout(UPLOAD_SECONDS if is_upload else self._seconds):
                    is_whole = await _read(receive, body, largest)
            except TimeoutError:
                await _refuse(scope, receive, send, status=408)
                return
            if is_whole and body.tell() > largest:
                await _refuse(scope, receive, send, status=413)
            elif is_whole:
                body.seek(0)
                await self._app(scope, _Again(body=body, receive=receive), send)


@dataclass(slots=True, kw_only=True)
class _Again:
    """Gives the body once, in pieces; then what the connection says."""

    body: IO[bytes]
    receive: Receive
    is_given: bool = False

    async def __call__(self) -> Message:
        if self.is_given:
            return await self.receive()
        piece = self.body.read(LARGEST_BODY_BYTES)
        self.is_given = len(piece) < LARGEST_BODY_BYTES
        return {"type": "http.request", "body": piece, "more_body": not self.is_given}


async def _read(receive: Receive, body: IO[bytes], largest: int) -> bool:
    """Whether the body came to its end, before which its sender may leave.

    What is too large is read on and dropped: senders hear an answer only when they are done.
    """
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        if body.tell() <= largest:
            body.write(message.get("body", b""))
        more = message.get("more_body", False)
    return True


async def _refuse(scope: Scope, receive: Receive, send: Send, *, status: int) -> None:
    words = {408: "The body of the request came too slowly.\n", 413: "The body of the request is too large.\n"}
    response = Response(words[status], status, headers={"Connection": "close"}, media_type="text/plain")
    await response(scope, receive, send)
