"""Files of a course folder: read with caps, never followed out of the folder, never run."""

from __future__ import annotations

from pathlib import Path

from exercises.content.problems import Problem

LARGEST_TEXT_BYTES = 256 * 1024
# Left by editors, version control and Python; no part of a course.
IGNORED = frozenset({"__pycache__", "README.md", "LICENSE", "LICENSE.md", "CHANGELOG.md"})


def entries(folder: Path) -> list[Path]:
    """What lies in `folder`, by name, without what is no part of a course; nothing where there is no folder."""
    if not folder.is_dir() or folder.is_symlink():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.name not in IGNORED)


def read_text(path: Path, file: str) -> tuple[str | None, list[Problem]]:
    """The text with plain line ends, or None and why."""
    if path.is_symlink():
        return None, [Problem(file=file, message="expected a file, found a link")]
    if not path.is_file():
        found = "a folder" if path.is_dir() else "none"
        return None, [Problem(file=file, message=f"expected this file, found {found}")]
    size = path.stat().st_size
    if size > LARGEST_TEXT_BYTES:
        message = f"expected at most {LARGEST_TEXT_BYTES // 1024} KiB, found {size // 1024} KiB"
        return None, [Problem(file=file, message=message)]
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"expected text in UTF-8, found the byte 0x{content[error.start]:02X}"
        return None, [Problem(file=file, line=line, message=message)]
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        return None, [Problem(file=file, line=line, message="expected text, found a NUL")]
    return text, []


def unexpected(paths: list[Path], known: frozenset[str], file_prefix: str = "") -> list[Problem]:
    """A problem for each of `paths` whose name is not known."""
    expected = ", ".join(sorted(known)) or "nothing"
    return [
        Problem(file=file_prefix + path.name, message=f"unknown; expected here: {expected}")
        for path in paths
        if path.name not in known
    ]
