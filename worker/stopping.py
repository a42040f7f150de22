"""Whether this worker was told to stop. Its processes share one page of memory, made before they are forked."""

from __future__ import annotations

import mmap

_page = mmap.mmap(-1, 1)


def stop() -> None:
    """From now on no process of this worker takes new work; what each has begun it finishes."""
    _page[0] = 1


def is_stopping() -> bool:
    return _page[0] == 1
