"""In fresh programs: what fills the holes of a heap stays for good."""

import json
import subprocess
import sys

from worker.sandbox import holes, kernel

# Every second of many objects is given back; then the room for new ones is looked for in what was mapped before.
_PROGRAM = """
import json
from worker.sandbox import holes

def areas():
    lines = open("/proc/self/maps").read().splitlines()
    return [tuple(int(number, 16) for number in line.split()[0].split("-")) for line in lines]

def within(many, places):
    return sum(any(start <= id(one) < end for start, end in places) for one in many)

many = [bytes(100 + number % 300) for number in range(60_000)]
del many[::2]
before = areas()
kept = FILL
new = [bytes(100 + number % 300) for number in range(3_000)]
print(json.dumps([len(kept), within(new, before)]))
"""


def _kept_and_in_holes(fill):
    program = _PROGRAM.replace("FILL", fill)
    return json.loads(subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout)


def test_new_objects_lie_in_holes_until_those_are_filled():
    assert _kept_and_in_holes("[]") == [0, 3_000]

    kept, in_holes = _kept_and_in_holes("holes.fill_holes()")

    assert (kept > 25_000, in_holes) == (True, 0)


def test_one_object_of_each_size_is_kept_where_all_lie_where_nothing_was(tmp_path):
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "maps").write_text("")

    looked_up, *kept = holes._fill_pools(tmp_path)

    assert looked_up == ([], [], [])
    assert [sys.getsizeof(one) for one in kept] == sorted({*range(48, 513, 16), sys.getsizeof(1 << 31)}, reverse=True)


def test_blocks_of_c_are_taken_until_one_lies_at_the_end(monkeypatch):
    heap = _Heap(free=(0x1000, 0x2000), top=0x9000, end=0xA000)
    monkeypatch.setattr(holes, "_BLOCKS", (64, 32))
    monkeypatch.setattr(holes.ctypes, "CDLL", lambda _: heap)

    holes._fill_blocks()

    assert heap.asked == [64, 64, 64, 32]


def test_another_allocator_than_that_of_glibc_is_left_alone(monkeypatch):
    monkeypatch.setattr(holes.ctypes, "CDLL", lambda _: object())

    holes._fill_blocks()


def test_an_allocator_that_never_gives_new_room_is_not_asked_for_ever(monkeypatch, tmp_path):
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "maps").write_text("0-ffffffffffff rw-p 00000000 00:00 0")
    monkeypatch.setattr(holes, "_MOST", 10)

    assert len(holes._fill_pools(tmp_path)) == 10


def test_blocks_that_never_lie_at_the_end_are_not_asked_for_ever(monkeypatch):
    heap = _Heap(free=(0x1000,) * 4, top=0x9000, end=0xA000)
    monkeypatch.setattr(holes, "_BLOCKS", (64,))
    monkeypatch.setattr(holes, "_MOST", 3)
    monkeypatch.setattr(holes.ctypes, "CDLL", lambda _: heap)

    holes._fill_blocks()

    assert heap.asked == [64, 64, 64]


def test_blocks_are_filled_before_objects_whose_pools_lie_among_them(monkeypatch):
    filled = []
    monkeypatch.setattr(holes, "_fill_blocks", lambda: filled.append("blocks"))
    monkeypatch.setattr(holes, "_fill_pools", lambda proc: [*filled, "pools"])

    assert holes.fill_holes() == ["blocks", "pools"]


def test_elsewhere_nothing_is_filled(monkeypatch):
    monkeypatch.setattr(kernel, "IS_LINUX", False)

    assert holes.fill_holes() == []


class _Heap:
    """As libc, with two free blocks; what is asked for beyond them lies at its end."""

    def __init__(self, *, free, top, end):
        self.asked = []
        places = [*free, top, top + 64]
        self.malloc = _Call(lambda size: self.asked.append(size.value) or places.pop(0))
        self.sbrk = _Call(lambda _: end)
        self.mallinfo2 = _Call(lambda: holes._Blocks(keepcost=end - top))


class _Call:
    def __init__(self, call):
        self._call = call

    def __call__(self, *values):
        return self._call(*values)
