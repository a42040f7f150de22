from worker.sandbox import kernel
from worker.sandbox.pages import HUGE_BYTES, join_pages, own_areas

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
