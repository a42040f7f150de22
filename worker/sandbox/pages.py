"""Huge pages for the warm program: forking it, and ending a fork, then costs a third.

A fork copies one entry for each page of the heap, and its end gives each back. With 2 MB pages there are few.
"""

from __future__ import annotations

from pathlib import Path

from worker.sandbox import kernel

HUGE_BYTES = 2 * 1024 * 1024


def join_pages(*, proc: Path = Path("/proc")) -> int:
    """Join this process's own pages into huge ones, now; gives back how many. 0 where the kernel cannot (Linux 6.1)."""
    maps = (proc / "self" / "maps").read_text() if kernel.IS_LINUX else ""
    places = [place for start, end in own_areas(maps) for place in range(start, end, HUGE_BYTES)]
    return sum(kernel.collapse(place, HUGE_BYTES) for place in places)


def own_areas(maps: str) -> list[tuple[int, int]]:
    """Start and end, both at borders of huge pages, of what can be written and belongs to no file."""
    areas = []
    for line in maps.splitlines():
        fields = line.split(maxsplit=5)
        start, end = (int(number, 16) for number in fields[0].split("-"))
        is_own = len(fields) < 6 or fields[5] == "[heap]"
        if is_own and fields[1].startswith("rw-p"):
            areas.append((-(-start // HUGE_BYTES) * HUGE_BYTES, end // HUGE_BYTES * HUGE_BYTES))
    return areas
