"""A Redis cache that may vanish: while it is away every look-up is a miss and every write is dropped."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError


def _forgiving(method: Callable[..., Any], when_away: Any) -> Callable[..., Any]:
    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except (RedisConnectionError, RedisTimeoutError):
            return when_away

    return call


class JSONSerializer:
    """Plain JSON: nothing that comes out of Redis is ever unpickled. Whole numbers stay countable by Redis itself."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


class ForgivingRedisCache(RedisCache):
    """Rate limits and other conveniences stop counting while Redis is away; nothing that matters is kept here."""

    add = _forgiving(RedisCache.add, when_away=True)
    set = _forgiving(RedisCache.set, when_away=None)
    touch = _forgiving(RedisCache.touch, when_away=False)
    delete = _forgiving(RedisCache.delete, when_away=False)
    get_many = _forgiving(RedisCache.get_many, when_away={})
    set_many = _forgiving(RedisCache.set_many, when_away=[])
    delete_many = _forgiving(RedisCache.delete_many, when_away=None)
    has_key = _forgiving(RedisCache.has_key, when_away=False)
    incr = _forgiving(RedisCache.incr, when_away=1)
    clear = _forgiving(RedisCache.clear, when_away=False)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except (RedisConnectionError, RedisTimeoutError):
            return default
