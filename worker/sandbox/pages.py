"""The warm program's pages, laid out so that a fork, its first milliseconds and its end cost little.

A fork copies one entry for each page of the heap, and its end gives each back. With 2 MB pages there are few.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from worker.sandbox import kernel
from worker.sandbox.processes import PROC

HUGE_BYTES = 2 * 1024 * 1024
# Of less code than this a fork maps again what it needs: each area that is copied costs a microsecond too.
_MUCH_CODE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One mapping: where it lies, and how much of it is mapped in, and is no file's."""

    start: int
    end: int
    mode: str
    path: str
    mapped_bytes: int
    own_bytes: int

    @property
    def is_code(self) -> bool:
        """Whether all of it is a file's, and for reading or running alone."""
        return self.path.startswith("/") and self.mode in ("r-xp", "r--p") and not self.own_bytes


def join_pages(*, proc: Path = PROC) -> int:
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


def hand_on_code(rehearse: Callable[[], None], *, proc: Path = PROC) -> int:
    """Have forks find the code that `rehearse` runs mapped in; gives back in how many areas.

    The kernel leaves pages of files out of a fork, which then takes a fault for each handful that it runs. But it
    copies all that is mapped of an area in which one page is the process's own. So what was ever run is forgotten, what
    runs need is run, and in each area that has much of it one byte is written over itself.
    """
    if not kernel.IS_LINUX:
        return 0
    for area in _areas(proc):
        if area.is_code and area.mapped_bytes:
            kernel.forget_file_pages(area.start, area.end - area.start)
    rehearse()
    much = [area for area in _areas(proc) if area.is_code and area.mapped_bytes >= _MUCH_CODE_BYTES]
    return sum(_make_one_own(area.start, proc) for area in much)


def _areas(proc: Path) -> list[Area]:
    return read_areas((proc / "self" / "smaps").read_text())


def read_areas(smaps: str) -> list[Area]:
    """The mappings in such a file. Source: proc(5)."""
    found: list[Area] = []
    for line in smaps.splitlines():
        fields = line.split(maxsplit=5)
        name = fields[0]
        if not name.endswith(":"):
            start, end = (int(number, 16) for number in name.split("-"))
            mode, path = fields[1], fields[5] if len(fields) > 5 else ""
        elif name == "Rss:":
            mapped_bytes = int(fields[1]) * 1024
        elif name == "Anonymous:":
            own_bytes = int(fields[1]) * 1024
            found.append(
                Area(start=start, end=end, mode=mode, path=path, mapped_bytes=mapped_bytes, own_bytes=own_bytes)
            )
    return found


def _make_one_own(address: int, proc: Path) -> bool:
    """Whether the page at this address is a copy of the file's now: not everywhere may a process write there so."""
    with contextlib.suppress(OSError):
        memory = os.open(proc / "self" / "mem", os.O_RDWR | os.O_CLOEXEC)
        try:
            return os.pwrite(memory, os.pread(memory, 1, address), address) == 1
        finally:
            os.close(memory)
    return False
