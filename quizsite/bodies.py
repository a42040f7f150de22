"""Bodies of requests, before a thread has to wait for them: ten slow ones would hold all threads of the site."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_SECONDS = 20.0
# What the application still refuses in its own words (DATA_UPLOAD_MAX_MEMORY_SIZE) lies below.
LARGEST_BODY_BYTES = 3 * 1024 * 1024


class WholeBodies:
    """Hands a request on once all of its body is there; one that is too slow or too large is answered here."""

    def __init__(self, app: ASGIApp, *, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytearray()
        try:
            async with asyncio.timeout(self._seconds):
                is_whole = await _read(receive, body)
        except TimeoutError:
            await _refuse(scope, receive, send, status=408)
            return
        if is_whole and len(body) > LARGEST_BODY_BYTES:
            await _refuse(scope, receive, send, status=413)
        elif is_whole:
            await self._app(scope, _Again(body=bytes(body), receive=receive), send)


@dataclass(slots=True, kw_only=True)
class _Again:
    """Gives the body once, as one message; then what the connection says."""

    body: bytes
    receive: Receive
    is_given: bool = False

    async def __call__(self) -> Message:
        if self.is_given:
            return await self.receive()
        self.is_given = True
        return {"type": "http.request", "body": self.body, "more_body": False}


async def _read(receive: Receive, body: bytearray) -> bool:
    """Whether the body came to its end, before which its sender may leave.

    What is too large is read on and dropped: senders hear an answer only when they are done.
    """
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        if len(body) <= LARGEST_BODY_BYTES:
            body += message.get("body", b"")
        more = message.get("more_body", False)
    return True


async def _refuse(scope: Scope, receive: Receive, send: Send, *, status: int) -> None:
    words = {408: "The body of the request came too slowly.\n", 413: "The body of the request is too large.\n"}
    response = Response(words[status], status, headers={"Connection": "close"}, media_type="text/plain")
    await response(scope, receive, send)
