"""Files of a course in memory, wherever they came from: a folder, a zip, or an editor in the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from exercises.content.problems import Problem

Value = TypeVar("Value")

LARGEST_TEXT_BYTES = 256 * 1024
LARGEST_BYTES = 1024 * 1024
"""Of any file; texts may be smaller only."""
# Left by editors, version control, archivers and Python; no part of a course.
IGNORED = frozenset({"__pycache__", "__MACOSX", "README.md", "LICENSE", "LICENSE.md", "CHANGELOG.md"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTree:
    """Files by their path from the top, `/` between its parts.

    `too_large`: the size in bytes of files that were not read. `odd`: what else was found at a path, in words.
    `folders`: all of them, those without files too.
    """

    files: Mapping[str, bytes]
    too_large: Mapping[str, int] = field(default_factory=dict)
    odd: Mapping[str, str] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> FileTree:
        """A tree of these files, but for those that are no part of a course."""
        odd = {path: "a name that is none" for path in files if not _is_path(path)}
        parts = {path for path in files if is_part(path)}
        return cls(
            files={path: files[path] for path in files if path in parts and path not in odd},
            odd=odd,
            folders=frozenset(folder for path in files for folder in _folders_above(path) if is_part(folder)),
        )

    def within(self, folder: str) -> FileTree:
        """What lies in `folder`, with paths from there; an empty tree where there is none."""
        start = f"{folder}/"
        return FileTree(
            files=_below(self.files, start),
            too_large=_below(self.too_large, start),
            odd=_below(self.odd, start),
            folders=frozenset(path.removeprefix(start) for path in self.folders if path.startswith(start)),
        )

    def entries(self) -> list[str]:
        """The names of the files and folders at the top, sorted."""
        return sorted({path.partition("/")[0] for path in (*self.paths(), *self.folders)})

    def paths(self) -> list[str]:
        """All paths but those of folders, sorted."""
        return sorted({*self.files, *self.too_large, *self.odd})

    def has_file(self, path: str) -> bool:
        """Whether a file is there and was read."""
        return path in self.files

    def text(self, path: str) -> tuple[str | None, list[Problem]]:
        """The text with plain line ends, or None and why."""
        if message := self._absence(path):
            return None, [Problem(file=path, message=message)]
        return read_text(self.files[path], path)

    def folder_problems(self, name: str) -> list[Problem]:
        """What stands where a folder may: nothing is wrong with none."""
        found = self.odd.get(name, "a file" if name in self.files or name in self.too_large else "")
        return [Problem(file=name, message=f"expected a folder, found {found}")] if found else []

    def _absence(self, path: str) -> str:
        if path in self.odd:
            return f"expected a file, found {self.odd[path]}"
        if path in self.too_large:
            return _text_too_large(self.too_large[path])
        if path in self.files:
            return ""
        return f"expected this file, found {'a folder' if path in self.folders else 'none'}"


def is_part(path: str) -> bool:
    """Whether a path is part of a course; what begins with a point and what tools leave behind is not."""
    return not any(name.startswith(".") or name in IGNORED for name in path.split("/"))


def read_text(content: bytes, file: str) -> tuple[str | None, list[Problem]]:
    """The text with plain line ends, or None and why."""
    if len(content) > LARGEST_TEXT_BYTES:
        return None, [Problem(file=file, message=_text_too_large(len(content)))]
    try:
        text = plain(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"expected text in UTF-8, found the byte 0x{content[error.start]:02X}"
        return None, [Problem(file=file, line=line, message=message)]
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return None, [Problem(file=file, line=line, message="expected text, found a NUL")]
    return text, []


def plain(text: str) -> str:
    """A text without the mark that some editors put before it, and with `\\n` at the end of each line."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def unexpected(names: Iterable[str], known: frozenset[str]) -> list[Problem]:
    """A problem for each of `names` that is not known."""
    expected = ", ".join(sorted(known)) or "nothing"
    return [Problem(file=name, message=f"unknown; expected here: {expected}") for name in names if name not in known]


def _text_too_large(size: int) -> str:
    return f"expected at most {LARGEST_TEXT_BYTES // 1024} KiB, found {size // 1024} KiB"


def _is_path(path: str) -> bool:
    return not {"", ".", ".."} & set(path.split("/")) and "\\" not in path and "\0" not in path


def _folders_above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:length]) for length in range(1, len(parts))]


def _below(values: Mapping[str, Value], start: str) -> dict[str, Value]:
    return {path.removeprefix(start): value for path, value in values.items() if path.startswith(start)}
