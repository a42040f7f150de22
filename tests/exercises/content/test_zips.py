import io
import struct
import tracemalloc
import zipfile
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.content.problems import ContentError
from exercises.content.zips import LARGEST_ZIP_BYTES, read_zip, write_zip
from tests.exercises.content.folders import CHOICE, COURSE

FILES = {"course.yaml": COURSE.encode(), "exercises/which-one/exercise.yaml": CHOICE.encode(), "assets/a.txt": b""}
MEBIBYTE = 1024 * 1024


def zipped(files, *, method=zipfile.ZIP_DEFLATED, mode=None):
    """A zip as the standard library writes it, in the order given; pairs where a name comes twice."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", method) as archive:
        for name, content in files.items() if isinstance(files, dict) else files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = method
            if mode is not None:
                entry.external_attr = mode << 16
            archive.writestr(entry, content)
    return written.getvalue()


def refusal(content):
    """What is said of a zip, and how much memory that took at most, in bytes."""
    file = io.BytesIO(content)
    tracemalloc.start()
    try:
        with pytest.raises(ContentError) as caught:
            read_zip(file)
        return str(caught.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def listed(content, count, *, entries=1, size=None):
    """A zip made by hand: `entries` times the same record, an end that speaks of `count`."""
    name = b"a.txt"
    packed = zlib.compress(content, 9)[2:-4]
    crc, size = zlib.crc32(content), len(content) if size is None else size
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 8, 0, 0, crc, len(packed), size, len(name), 0) + name + packed
    one = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 8, 0, 0, crc, len(packed), size, len(name), 0, 0, 0, 0, 0, 0)
    records = (one + name) * entries
    return local + records + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(records), len(local), 0)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_files_are_read(method):
    assert read_zip(io.BytesIO(zipped(FILES, method=method))) == FILES


def test_folder_around_a_course_is_dropped():
    assert read_zip(io.BytesIO(zipped({f"my-course/{path}": FILES[path] for path in FILES}))) == FILES


def test_folder_around_something_else_stays():
    assert read_zip(io.BytesIO(zipped({"a/b.txt": b"x"}))) == {"a/b.txt": b"x"}


def test_folders_and_what_tools_leave_are_left_out():
    left = {"a/": b"", "a/.git/x": b"x", "__MACOSX/a/._b.txt": b"x", "a/README.md": b"x"}

    assert read_zip(io.BytesIO(zipped({"a/b.txt": b"x", **left}))) == {"a/b.txt": b"x"}


def test_written_zip_is_read_and_always_the_same():
    written = write_zip(FILES, folder="my-course")

    assert read_zip(io.BytesIO(written)) == FILES
    assert write_zip(dict(reversed(FILES.items())), folder="my-course") == written
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        assert archive.namelist() == sorted(f"my-course/{path}" for path in FILES)
    assert read_zip(io.BytesIO(write_zip({}))) == {}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/etc/passwd", "expected the path of a file within the course"),
        ("../a.txt", "expected the path of a file within the course"),
        ("a/../../b.txt", "expected the path of a file within the course"),
        ("a//b.txt", "expected the path of a file within the course"),
        ("./a.txt", "expected the path of a file within the course"),
        ("C:/a.txt", "expected the path of a file within the course"),
        ("a\\b.txt", "found a backslash"),
        ("a/CON.txt", "expected the path of a file within the course"),
        ("nul", "expected the path of a file within the course"),
        ("a/lpt1 .txt", "expected the path of a file within the course"),
        ("a.txt ", "expected the path of a file within the course"),
        ("a./b.txt", "expected the path of a file within the course"),
        ("a\nb.txt", "expected the path of a file within the course"),
        ("a\u202eb.txt", "expected the path of a file within the course"),
        ("a/" * 21 + "b", "expected the path of a file within the course"),
        ("a" * 201, "expected a name of at most 200 characters, found 201"),
    ],
)
def test_name_that_leads_elsewhere_is_refused(name, message):
    # The standard library turns backslashes round, and stops at a NUL.
    content = zipped({"x" * len(name.encode()): b"x"}).replace(b"x" * len(name.encode()), name.encode())

    assert message in refusal(content)[0]


def test_name_in_another_encoding_is_refused():
    content = zipped({"xxx.txt": b""}).replace(b"xxx.txt", b"gr\x94.txt")

    assert refusal(content)[0] == "gr�.txt: expected a name in UTF-8, found another encoding"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a.txt", "a.txt"], "a.txt: expected each file once, found it twice"),
        (["a.txt", "A.txt"], 'A.txt: expected names that differ in more than case, found "a.txt" too'),
        (["a/b.txt", "A/c.txt"], 'A/c.txt: expected names that differ in more than case, found "a" too'),
        (["é.txt", "e\u0301.txt"], 'e\u0301.txt: expected names that differ in more than case, found "é.txt" too'),
        (["a", "a/b.txt"], "a: expected a file or a folder, found both"),
        (["a/b.txt", "a"], "a: expected a file or a folder, found both"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_clash_are_refused(names, message):
    assert refusal(zipped([(name, b"x") for name in names]))[0] == message


@pytest.mark.parametrize(
    ("mode", "found"), [(0o120777, "a link"), (0o020666, "a device or a pipe"), (0o010666, "a device or a pipe")]
)
def test_what_is_no_file_is_refused(mode, found):
    assert refusal(zipped({"a.txt": b"/etc/passwd"}, mode=mode))[0] == f"a.txt: expected a file, found {found}"


def test_bomb_is_refused_by_what_it_says():
    content = zipped({"a.txt": bytes(200 * MEBIBYTE)})

    message, peak = refusal(content)

    assert message == "a.txt: expected at most 1 MiB, found 200 MiB"
    assert peak < MEBIBYTE


def test_bomb_that_says_otherwise_is_refused():
    message, peak = refusal(listed(bytes(200 * MEBIBYTE), 1, size=10))

    assert message == "a.txt: expected what the zip says of size and checksum, found other content"
    assert peak < 2 * MEBIBYTE


def test_many_small_bombs_are_refused():
    message, peak = refusal(zipped({f"{n}.txt": bytes(MEBIBYTE) for n in range(33)}))

    assert message == "the zip file: expected at most 32 MiB of files, found more"
    assert peak < MEBIBYTE


@pytest.mark.parametrize("count", [1, 5000, 65535])
def test_a_million_entries_are_refused(count):
    content = listed(b"x", count, entries=600_000)

    message, peak = refusal(content)

    assert len(content) < LARGEST_ZIP_BYTES
    assert message == "the zip file: expected at most 5000 files, found more"
    assert peak < MEBIBYTE


def test_overlapping_entries_are_refused():
    content = listed(bytes(MEBIBYTE), 2, entries=2)

    # The same name twice is seen first.
    second = content.rindex(b"a.txt")
    assert refusal(content)[0] == "a.txt: expected each file once, found it twice"
    assert refusal(content[:second] + b"b.txt" + content[second + 5 :])[0] == (
        "b.txt: expected files one behind the other, found one within another"
    )


def test_zip_within_the_zip_is_refused():
    assert refusal(zipped({"a.txt": zipped(FILES)}))[0] == (
        "a.txt: expected a file of a course, found a zip within the zip"
    )


def test_entries_that_are_not_there_are_refused():
    assert refusal(listed(b"x", 2))[0] == "the zip file: expected as many files as the zip says there are, found fewer"
    assert refusal(listed(b"x", 1, entries=2))[0] == (
        "the zip file: expected as many files as the zip says there are, found more"
    )


def test_too_large_a_zip_is_refused_unread():
    message, peak = refusal(bytes(LARGEST_ZIP_BYTES + 1))

    assert message == "the zip file: expected at most 32 MiB, found 32 MiB"
    assert peak < MEBIBYTE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: b"", "the zip file: expected a zip file, found something else"),
        (lambda content: content[:-1], "the zip file: expected a zip file, found something else"),
        (lambda content: b"#!/bin/sh\n" + content, "found something before it, in it or behind it"),
        (lambda content: content + b"x", "found something before it, in it or behind it"),
        (lambda content: content.replace(b"PK\3\4", b"PK\3\5"), "a.txt: expected a file, found none where"),
        (lambda content: content.replace(b"a.txt", b"b.txt", 1), "a.txt: expected the same name and method"),
        (lambda content: _patched(content, 8, 9), "a.txt: expected a file without a password, found an encrypted one"),
        (lambda content: _patched(content, 10, 1), "a.txt: expected a file that is stored or deflated, found method 9"),
        (lambda content: _patched(content, 16, 1), "a.txt: expected what the zip says of size and checksum"),
        (lambda content: _patched(content, 24, 1), "a.txt: expected what the zip says of size and checksum"),
        (lambda content: _patched(content, 45, 64), "the zip file: expected the whole of each file"),
        (lambda content: content.replace(_deflated(), b"\xff" * len(_deflated())), "a.txt: expected a deflated file"),
    ],
)
def test_damage_is_refused(change, message):
    assert message in refusal(change(zipped({"a.txt": b"x" * 100})))[0]


def _deflated():
    packer = zlib.compressobj(-1, zlib.DEFLATED, -15)
    return packer.compress(b"x" * 100) + packer.flush()


def _patched(content, offset, bits):
    """With bits of one byte of the first entry of the list turned over."""
    place = content.index(b"PK\1\2") + offset
    return content[:place] + bytes([content[place] ^ bits]) + content[place + 1 :]


@given(st.binary(max_size=60), st.integers(0, 400))
def test_whatever_is_in_a_zip_ends_in_files_or_in_a_refusal(noise, place):
    content = zipped(FILES)
    place %= len(content)

    try:
        read = read_zip(io.BytesIO(content[:place] + noise + content[place + len(noise) :]))
    except ContentError:
        return

    assert all(isinstance(item, bytes) for item in read.values())
