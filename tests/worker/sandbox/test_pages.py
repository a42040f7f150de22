import subprocess
import sys

from worker.sandbox import kernel
from worker.sandbox.pages import HUGE_BYTES, Area, hand_on_code, join_pages, own_areas, read_areas

MAPS = """\
00200000-00900000 rw-p 00000000 00:00 0                                  [heap]
7f0000100000-7f0000700000 rw-p 00000000 00:00 0
7f0001000000-7f0001400000 r--p 00000000 00:00 0
7f0002000000-7f0002400000 rw-p 00000000 fe:00 12                         /usr/lib/a library.so
7f0003000000-7f0003400000 rw-s 00000000 00:00 0
7ffc00000000-7ffc00400000 rw-p 00000000 00:00 0                          [stack]
"""


def test_own_areas_are_those_without_a_file_cut_to_huge_pages():
    assert own_areas(MAPS) == [(0x200000, 0x800000), (0x7F0000200000, 0x7F0000600000)]


def test_pages_of_a_heap_are_tried_one_by_one(tmp_path, monkeypatch):
    tried = []
    monkeypatch.setattr(kernel, "collapse", lambda place, size: tried.append((place, size)) or len(tried) > 1)
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "maps").write_text(MAPS)

    assert join_pages(proc=tmp_path) == 4
    assert tried[0] == (0x200000, HUGE_BYTES)
    assert len(tried) == 5


def test_what_is_not_mapped_cannot_be_joined():
    assert not kernel.collapse(0, HUGE_BYTES)


SMAPS = """\
00001000-00021000 r-xp 00000000 fe:00 11                         /usr/lib/much code.so
Size:                128 kB
Rss:                 %s kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
00030000-00050000 r--p 00000000 fe:00 11                         /usr/lib/own.so
Rss:                 128 kB
Anonymous:             4 kB
00060000-00080000 r--p 00000000 fe:00 12                         /usr/lib/little.so
Rss:                   4 kB
Anonymous:             0 kB
00090000-000b0000 rw-p 00000000 00:00 0
Rss:                 128 kB
Anonymous:             0 kB
"""


def test_areas_are_read_with_what_is_mapped_of_them_and_what_is_their_own():
    first, second, *_, last = read_areas(SMAPS % 64)

    assert first == Area(
        start=0x1000, end=0x21000, mode="r-xp", path="/usr/lib/much code.so", mapped_bytes=64 * 1024, own_bytes=0
    )
    assert (first.is_code, second.is_code) == (True, False)
    assert (last.path, last.is_code) == ("", False)


def test_code_is_forgotten_then_run_then_made_own_where_there_is_much(tmp_path, monkeypatch):
    done = []
    folder = tmp_path / "self"
    folder.mkdir()
    (folder / "smaps").write_text(SMAPS % 4)
    (folder / "mem").write_bytes(bytes(0x20000))
    monkeypatch.setattr(kernel, "forget_file_pages", lambda start, size: done.append((start, size)))

    count = hand_on_code(lambda: done.append("run") or (folder / "smaps").write_text(SMAPS % 64), proc=tmp_path)

    assert count == 1
    assert done == [(0x1000, 0x20000), (0x60000, 0x20000), "run"]


def test_code_stays_as_it_is_where_a_process_may_not_write_so(tmp_path, monkeypatch):
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "smaps").write_text(SMAPS % 64)
    monkeypatch.setattr(kernel, "forget_file_pages", lambda start, size: True)

    assert hand_on_code(lambda: None, proc=tmp_path) == 0


def test_elsewhere_no_code_is_handed_on(monkeypatch):
    monkeypatch.setattr(kernel, "IS_LINUX", False)

    assert hand_on_code(lambda: None) == 0


def test_program_goes_on_after_its_code_was_forgotten_and_handed_on():
    program = (
        "from worker.sandbox import pages\n"
        "before = pages.hand_on_code(lambda: sorted('run'))\n"
        "own = [area for area in pages._areas(pages.PROC) if area.mode == 'r-xp' and area.own_bytes]\n"
        "print(before > 0, len(own) > 0)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout == "True True\n"


def test_what_is_no_mapping_cannot_be_forgotten():
    assert not kernel.forget_file_pages(0, HUGE_BYTES + 1)
