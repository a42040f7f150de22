"""The side channel over Redis: events that say "changed", and verdicts of cases before the outcome is written.

Redis may vanish at any time. Then nothing is published and nothing is read, and pages find the truth by polling.
Nothing here touches the database, so that the process of the events can use it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from redis import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PARTIAL_SECONDS = 60
TOKEN_SECONDS = 3600
SOCKET_SECONDS = 0.2

_T = TypeVar("_T")


def publish_changed(topic: str) -> None:
    """Tell whoever watches `topic` (`submission:17`, `run:5`) to look again."""
    _softly(lambda redis: redis.publish(f"changed:{topic}", "changed"))


def store_partial(grading_id: int, cases: list[dict[str, Any]]) -> None:
    """Keep the cases judged so far, as in `Outcome.to_json()["cases"]` but for the feedback, for a minute."""
    text = json.dumps(cases)
    _softly(lambda redis: redis.set(f"partial:{grading_id}", text, ex=PARTIAL_SECONDS))


def read_partial(grading_id: int) -> list[dict[str, Any]]:
    """The cases judged so far, or none."""
    text = _softly(lambda redis: redis.get(f"partial:{grading_id}"))
    return json.loads(text) if isinstance(text, bytes) else []


def events_token(topic: str) -> str:
    """A signed, short-lived word that lets its bearer listen to one topic."""
    return _signer().sign(topic)


def events_url(topic: str) -> str:
    """Where to listen for changes: a path with a token that names one topic, for a while."""
    return f"{settings.SUB_PATH}/events/{events_token(topic)}/"


def topic_of(token: str) -> str | None:
    """The topic that a token was made for; None if it is forged or older than an hour."""
    try:
        return _signer().unsign(token, max_age=TOKEN_SECONDS)
    except BadSignature:
        return None


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="quizsite.events")


def _softly(command: Callable[[Redis], _T]) -> _T | None:
    try:
        return command(_client(settings.REDIS_URL))
    except (RedisError, OSError) as error:
        logger.info("Redis is away: %s", error)
        return None


@lru_cache(maxsize=1)
def _client(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=SOCKET_SECONDS, socket_connect_timeout=SOCKET_SECONDS)
