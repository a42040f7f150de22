"""Courses as zip files. What is read is hostile until proven otherwise; nothing is ever unpacked to a disk.

The standard library's reader makes an object of every entry before one can look, believes what headers say of sizes,
and lets entries overlap. This one knows only what a course needs, and reads no further than its caps.
"""

from __future__ import annotations

import io
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Final

from exercises.content.files import LARGEST_BYTES, is_part
from exercises.content.folders import DEEPEST, LARGEST_TOTAL_BYTES, MOST_FILES
from exercises.content.problems import ContentError, Problem

LARGEST_ZIP_BYTES: Final = 32 * 1024 * 1024
LONGEST_NAME: Final = 200
MEBIBYTE: Final = 1024 * 1024

# Layouts of the records and what they begin with, from APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
_END = struct.Struct("<4s4H2LH")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_END_MARK, _ENTRY_MARK, _LOCAL_MARK = b"PK\5\6", b"PK\1\2", b"PK\3\4"
_LONGEST_COMMENT = 0xFFFF
_ENCRYPTED, _PATCHED, _STRONGLY_ENCRYPTED = 1 << 0, 1 << 5, 1 << 6
_STORED, _DEFLATED = 0, 8
# The largest list of entries that we look at: names of full length, and some room for extra fields.
_LARGEST_LIST = MOST_FILES * (_ENTRY.size + LONGEST_NAME + 100)

# Names that are devices on Windows, with any ending.
_DEVICES = frozenset(["con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))])
_EARLIEST = (1980, 1, 1, 0, 0, 0)
_READABLE_FILE = (stat.S_IFREG | 0o644) << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    path: str
    method: int
    crc: int
    packed_bytes: int
    plain_bytes: int
    offset: int

    @property
    def is_folder(self) -> bool:
        return self.path.endswith("/")


def read_zip(file: IO[bytes]) -> dict[str, bytes]:
    """The files in a zip, `{path: content}`, without what is no part of a course; a folder around all of it is dropped.

    Raises: ContentError that names the entry, for anything but plain files with plain names within the caps.
    """
    size = file.seek(0, io.SEEK_END)
    if size > LARGEST_ZIP_BYTES:
        raise _refusal("", f"expected at most {LARGEST_ZIP_BYTES // MEBIBYTE} MiB, found {size / MEBIBYTE:.3g} MiB")
    start, length, count = _list_of_entries(file, size)
    entries = list(_entries(_read_at(file, start, length), count))
    _refuse_clashes(entries)
    _refuse_amounts(entries)
    _refuse_overlaps(entries, start)
    wanted = [entry for entry in entries if not entry.is_folder and is_part(entry.path)]
    return _without_top({entry.path: _content(file, entry) for entry in wanted})


def write_zip(files: Mapping[str, bytes], *, folder: str = "") -> bytes:
    """A zip of these files, within `folder` where it is given; the same bytes for the same files."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder}/{path}" if folder else path, _EARLIEST)
            entry.create_system, entry.external_attr = 3, _READABLE_FILE
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return written.getvalue()


def _list_of_entries(file: IO[bytes], size: int) -> tuple[int, int, int]:
    """Where the list of entries begins, its length in bytes, and how many there are said to be."""
    tail_start = max(0, size - _END.size - _LONGEST_COMMENT)
    tail = _read_at(file, tail_start, size - tail_start)
    place = tail.rfind(_END_MARK)
    if place < 0 or place + _END.size > len(tail):
        raise _refusal("", "expected a zip file, found something else")
    _, disk, first_disk, here, count, length, start, comment = _END.unpack_from(tail, place)
    if disk or first_disk or here != count:
        raise _refusal("", "expected a zip file in one part, found one of several")
    if count > MOST_FILES or length > _LARGEST_LIST:
        raise _refusal("", f"expected at most {MOST_FILES} files, found more")
    if start + length != tail_start + place or place + _END.size + comment != len(tail):
        raise _refusal("", "expected a zip file, found something before it, in it or behind it that is no part of it")
    return start, length, count


def _entries(listed: bytes, count: int) -> Iterator[_Entry]:
    position = 0
    for _ in range(count):
        if position + _ENTRY.size > len(listed) or not listed.startswith(_ENTRY_MARK, position):
            raise _refusal("", "expected as many files as the zip says there are, found fewer")
        fields = _ENTRY.unpack_from(listed, position)
        flags, method, crc, packed, plain = *fields[3:5], *fields[7:10]
        name_length, extra, comment, attributes, offset = *fields[10:13], fields[15], fields[16]
        begin = position + _ENTRY.size
        path = _path(listed[begin : begin + name_length])
        _refuse_kind(path, flags=flags, method=method, mode=attributes >> 16)
        yield _Entry(path=path, method=method, crc=crc, packed_bytes=packed, plain_bytes=plain, offset=offset)
        position = begin + name_length + extra + comment
    if position != len(listed):
        raise _refusal("", "expected as many files as the zip says there are, found more")


def _path(name: bytes) -> str:
    shown = name[:LONGEST_NAME].decode(errors="replace")
    try:
        path = name.decode()
    except UnicodeDecodeError:
        raise _refusal(shown, "expected a name in UTF-8, found another encoding") from None
    if len(path) > LONGEST_NAME:
        raise _refusal(shown, f"expected a name of at most {LONGEST_NAME} characters, found {len(path)}")
    if "\\" in path:
        raise _refusal(path, "expected / between folders and files, found a backslash")
    parts = path.removesuffix("/").split("/")
    if not path.isprintable() or len(parts) > DEEPEST or not all(_is_plain_name(part) for part in parts):
        raise _refusal(ascii(path)[1:-1], "expected the path of a file within the course, found something else")
    return path


def _is_plain_name(name: str) -> bool:
    """Whether it is a name on every system: no way up, no drive, no device, nothing that is cut off somewhere."""
    if name in {"", ".", ".."} or set(name) & set('<>:"|?*') or name[-1] in ". ":
        return False
    return name.partition(".")[0].rstrip().lower() not in _DEVICES


def _refuse_kind(path: str, *, flags: int, method: int, mode: int) -> None:
    if flags & (_ENCRYPTED | _PATCHED | _STRONGLY_ENCRYPTED):
        raise _refusal(path, "expected a file without a password, found an encrypted one")
    if stat.S_IFMT(mode) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise _refusal(path, f"expected a file, found {'a link' if stat.S_ISLNK(mode) else 'a device or a pipe'}")
    if method not in {_STORED, _DEFLATED}:
        raise _refusal(path, f"expected a file that is stored or deflated, found method {method}")


def _refuse_clashes(entries: list[_Entry]) -> None:
    """Refuse one name twice, names that some systems take for one, and a file that is a folder too."""
    files: set[str] = set()
    known: dict[str, str] = {}
    for entry in entries:
        path = entry.path.removesuffix("/")
        parts = path.split("/")
        for length in range(1, len(parts) + 1):
            part = "/".join(parts[:length])
            other = known.setdefault(unicodedata.normalize("NFKC", part).casefold(), part)
            if other != part:
                raise _refusal(path, f'expected names that differ in more than case, found "{other}" too')
        if not entry.is_folder and path in files:
            raise _refusal(path, "expected each file once, found it twice")
        if not entry.is_folder:
            files.add(path)
    for entry in entries:
        parts = entry.path.split("/")
        if blocked := {"/".join(parts[:length]) for length in range(1, len(parts))} & files:
            raise _refusal(min(blocked), "expected a file or a folder, found both")


def _refuse_amounts(entries: list[_Entry]) -> None:
    for entry in entries:
        if entry.is_folder and (entry.plain_bytes or entry.packed_bytes > 2):
            raise _refusal(entry.path, "expected a folder, found content in it")
        if entry.plain_bytes > LARGEST_BYTES:
            found = f"{entry.plain_bytes / MEBIBYTE:.3g} MiB"
            raise _refusal(entry.path, f"expected at most {LARGEST_BYTES // MEBIBYTE} MiB, found {found}")
    if sum(entry.plain_bytes for entry in entries) > LARGEST_TOTAL_BYTES:
        raise _refusal("", f"expected at most {LARGEST_TOTAL_BYTES // MEBIBYTE} MiB of files, found more")


def _refuse_overlaps(entries: list[_Entry], end: int) -> None:
    """Refuse files that share bytes: so a small zip becomes a large one."""
    behind = 0
    for entry in sorted(entries, key=lambda entry: entry.offset):
        if entry.offset < behind:
            raise _refusal(entry.path, "expected files one behind the other, found one within another")
        behind = entry.offset + _LOCAL.size + len(entry.path.encode()) + entry.packed_bytes
    if behind > end:
        raise _refusal("", "expected the whole of each file, found its end missing")


def _content(file: IO[bytes], entry: _Entry) -> bytes:
    head = _read_at(file, entry.offset, _LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(_LOCAL_MARK):
        raise _refusal(entry.path, "expected a file, found none where the zip says that it lies")
    fields = _LOCAL.unpack(head)
    method, name_length, extra = fields[3], fields[9], fields[10]
    name = _read_at(file, entry.offset + _LOCAL.size, name_length)
    if name != entry.path.encode() or method != entry.method:
        raise _refusal(entry.path, "expected the same name and method in both places, found others")
    packed = _read_at(file, entry.offset + _LOCAL.size + name_length + extra, entry.packed_bytes)
    content = packed if method == _STORED else _inflated(packed, entry)
    if len(content) != entry.plain_bytes or zlib.crc32(content) != entry.crc:
        raise _refusal(entry.path, "expected what the zip says of size and checksum, found other content")
    if content.startswith(_LOCAL_MARK):
        raise _refusal(entry.path, "expected a file of a course, found a zip within the zip")
    return content


def _inflated(packed: bytes, entry: _Entry) -> bytes:
    """At most one byte more than the entry says it has."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = stream.decompress(packed, entry.plain_bytes + 1)
    except zlib.error:
        raise _refusal(entry.path, "expected a deflated file, found damage") from None
    if not stream.eof and len(content) <= entry.plain_bytes:
        raise _refusal(entry.path, "expected the whole of the file, found its end missing")
    return content


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files from within the one folder that all of them lie in, where that is the course or the exercise."""
    tops = {path.partition("/")[0] for path in files}
    top = next(iter(tops)) if len(tops) == 1 else ""
    if not {f"{top}/course.yaml", f"{top}/exercise.yaml"} & files.keys():
        return files
    return {path.removeprefix(f"{top}/"): content for path, content in files.items()}


def _read_at(file: IO[bytes], start: int, length: int) -> bytes:
    file.seek(start)
    return file.read(length)


def _refusal(path: str, message: str) -> ContentError:
    return ContentError([Problem(file=path or "the zip file", message=message)])
