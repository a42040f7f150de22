"""Server-sent events: they say that something changed, never what.

One Redis subscriber serves all streams of the process, and nothing here touches the ORM: a stream that held a database
connection would exhaust PostgreSQL at about a hundred students. Losing an event costs nothing, since pages also poll.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

from django.conf import settings
from redis import asyncio as aioredis
from redis.exceptions import RedisError
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from exercises import live

logger = logging.getLogger(__name__)

CHANNEL_PREFIX = "changed:"
STREAM_SECONDS = 300
PING_SECONDS = 15
RETRY_MILLISECONDS = 2000
LEAST_SECONDS_BETWEEN_EVENTS = 0.2
FIRST_BACK_OFF_SECONDS = 0.25
LONGEST_BACK_OFF_SECONDS = 5.0


class Changes:
    """The one subscriber, and the streams that wait for a topic."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[asyncio.Event]] = defaultdict(set)

    @contextmanager
    def of(self, topic: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever `topic` changed, or may have."""
        changed = asyncio.Event()
        self._waiting[topic].add(changed)
        try:
            yield changed
        finally:
            self._waiting[topic].discard(changed)
            if not self._waiting[topic]:
                del self._waiting[topic]

    async def listen(self, url: str) -> None:
        """Listen for ever; while Redis is away, try again with growing pauses."""
        pause = FIRST_BACK_OFF_SECONDS
        while True:
            client = aioredis.from_url(url, socket_connect_timeout=1, health_check_interval=10)
            try:
                async with client, client.pubsub() as subscriber:
                    await subscriber.psubscribe(f"{CHANNEL_PREFIX}*")
                    pause = FIRST_BACK_OFF_SECONDS
                    # What was published while nobody listened is lost: everyone looks once.
                    self._wake_all()
                    await self._relay(subscriber)
            except (RedisError, OSError) as error:
                logger.warning("Live events wait for Redis: %s", error)
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_BACK_OFF_SECONDS)

    async def _relay(self, subscriber: aioredis.client.PubSub) -> None:
        while True:
            message = await subscriber.get_message(ignore_subscribe_messages=True, timeout=5)
            if message is not None:
                self._wake(message["channel"].decode().removeprefix(CHANNEL_PREFIX))

    def _wake(self, topic: str) -> None:
        for changed in self._waiting.get(topic, ()):
            changed.set()

    def _wake_all(self) -> None:
        for topic in self._waiting:
            self._wake(topic)


changes = Changes()


async def _events(topic: str) -> AsyncIterator[ServerSentEvent]:
    """One event at the start, so that a reader who (re)connects looks once; then one for each change."""
    loop = asyncio.get_running_loop()
    end = loop.time() + STREAM_SECONDS
    with changes.of(topic) as changed, suppress(TimeoutError):
        while True:
            changed.clear()
            yield ServerSentEvent(event="changed", data="changed", retry=RETRY_MILLISECONDS)
            await asyncio.sleep(LEAST_SECONDS_BETWEEN_EVENTS)
            async with asyncio.timeout_at(end):
                await changed.wait()


async def stream(request: Request) -> Response:
    """The events of the topic that a signed, short-lived token names; 404 for any other token."""
    topic = live.topic_of(request.path_params["token"])
    if topic is None:
        return Response("This link to live events is not valid, or no longer.\n", 404, media_type="text/plain")
    return EventSourceResponse(_events(topic), ping=PING_SECONDS, headers={"X-Content-Type-Options": "nosniff"})


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Run the subscriber while the server runs."""
    listener = asyncio.create_task(changes.listen(settings.REDIS_URL))
    try:
        yield
    finally:
        listener.cancel()
        with suppress(asyncio.CancelledError):
            await listener


routes: list[BaseRoute] = [Route("/events/{token}/", stream)]
if settings.SUB_PATH:
    # Also whole, where the proxy does not cut it off.
    routes.append(Mount(settings.SUB_PATH, routes=[*routes]))
application = Starlette(routes=routes, lifespan=lifespan)
