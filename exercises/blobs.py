"""JSON values as compressed bytes, for what is large and read one row at a time."""

from __future__ import annotations

import json
import zlib
from typing import Any

from exercises.errors import BlobTooLargeError

LARGEST_JSON_BYTES = 4 * 1024 * 1024
"""Feedback and results are capped where they are made; this only stops a row that would fill the disk."""


def pack(value: Any) -> bytes:
    """Compressed JSON of `value`.

    Raises:
        BlobTooLargeError: the JSON is larger than `LARGEST_JSON_BYTES`.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    if len(text) > LARGEST_JSON_BYTES:
        raise BlobTooLargeError(f"a blob holds at most {LARGEST_JSON_BYTES} bytes of JSON, not {len(text)}")
    return zlib.compress(text)


def unpack(blob: bytes | memoryview | None) -> Any:
    """The value that `pack` was given; an empty dict where nothing was stored."""
    if blob is None:
        return {}
    return json.loads(zlib.decompress(blob))
