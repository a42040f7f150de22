"""The holes of a heap that grew while programs were imported: filled once, so that forks write to few pages.

What is freed on the way leaves free room in thousands of places. A fork would put its objects there, one here and one
there, and each page that it writes to is copied for it. Once the holes are filled its objects lie side by side.
"""

from __future__ import annotations

import bisect
import ctypes
import sys
from pathlib import Path

from worker.sandbox import kernel
from worker.sandbox.processes import PROC

# Source: CPython 3.11, Objects/obmalloc.c: up to this size objects lie in pools, one for each multiple of 16 bytes.
_LARGEST_OBJECT, _STEP = 512, 16
_EMPTY_BYTES = sys.getsizeof(b"")
_NUMBER = 1 << 31
# Of glibc's own blocks: below the size at which they get a mapping each.
_BLOCKS = (*(1 << power for power in range(16, 10, -1)), *range(1024, 24, -_STEP))
# Against an allocator that is none of those two: it would never answer from a new place.
_MOST = 500_000


class _Blocks(ctypes.Structure):
    """Source: mallinfo2(3) (glibc 2.33)."""

    _fields_ = (
        *((f"unused {number}", ctypes.c_size_t) for number in range(9)),
        # What could be given back at the end of the heap.
        ("keepcost", ctypes.c_size_t),
    )


def fill_holes(*, proc: Path = PROC) -> list[object]:
    """Take all free room in the heap of this process; gives back the objects that do, to be kept.

    Blocks of C's own are never given back.
    """
    if not kernel.IS_LINUX:
        return []
    _fill_blocks()
    return _fill_pools(proc)


def _fill_pools(proc: Path) -> list[object]:
    """Objects of each size until one lies where nothing was; before them what was looked up on the way."""
    places = [line.split(None, 1)[0].split("-") for line in (proc / "self" / "maps").read_text().splitlines()]
    starts, ends = [int(start, 16) for start, _ in places], [int(end, 16) for _, end in places]
    # These thousands of objects lie in holes too, which would be there again were they given back.
    kept: list[object] = [(places, starts, ends)]
    for size in range(_LARGEST_OBJECT, _STEP, -_STEP):
        while len(kept) < _MOST:
            # Bytes are no smaller; numbers are as small as objects get, but for bare ones.
            kept.append(bytes(size - _EMPTY_BYTES) if size > _EMPTY_BYTES else _NUMBER + len(kept))
            if not _is_within(id(kept[-1]), starts, ends):
                break
    return kept


def _is_within(address: int, starts: list[int], ends: list[int]) -> bool:
    place = bisect.bisect(starts, address) - 1
    return place >= 0 and address < ends[place]


def _fill_blocks() -> None:
    """Blocks of each size until one lies at the heap's end, the largest first."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallinfo2"):
        return
    libc.mallinfo2.restype = _Blocks
    libc.malloc.restype = libc.sbrk.restype = ctypes.c_void_p
    end = libc.sbrk(ctypes.c_long(0))
    top = end - libc.mallinfo2().keepcost
    for size in _BLOCKS:
        for _ in range(_MOST):
            if (libc.malloc(ctypes.c_size_t(size)) or top) >= top:
                break
