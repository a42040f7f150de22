"""A folder on disk, read into memory: with caps, links not followed, never run."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exercises.content.files import LARGEST_BYTES, FileTree, is_part

MOST_FILES = 5000
LARGEST_TOTAL_BYTES = 32 * 1024 * 1024
DEEPEST = 20


def read_folder(folder: Path) -> FileTree:
    """All files below `folder`; an empty tree where there is none. What is over the caps is not read, and marked so."""
    walk = _Walk()
    if folder.is_dir():
        walk.enter(folder, "")
    return FileTree(files=walk.files, too_large=walk.too_large, odd=walk.odd, folders=frozenset(walk.folders))


@dataclass(slots=True, kw_only=True)
class _Walk:
    files: dict[str, bytes] = field(default_factory=dict)
    too_large: dict[str, int] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    seen: int = 0
    total_bytes: int = 0

    def enter(self, folder: Path, start: str) -> None:
        """Files before folders, so that what a course needs is read before what is in the way."""
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: (entry.is_dir(follow_symlinks=False), entry.name))
        for entry in entries:
            if not is_part(entry.name):
                continue
            path = start + entry.name
            self.seen += 1
            if self.seen > MOST_FILES:
                self.odd[path] = f"more than {MOST_FILES} files and folders"
                return
            self._take(entry, path)

    def _take(self, entry: os.DirEntry[str], path: str) -> None:
        about = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(about.st_mode):
            self.odd[path] = "a link"
        elif stat.S_ISDIR(about.st_mode):
            self._enter_folder(entry, path)
        elif not stat.S_ISREG(about.st_mode):
            self.odd[path] = "something that is none"
        elif about.st_size > LARGEST_BYTES:
            self.too_large[path] = about.st_size
        else:
            self._read(entry, path)

    def _enter_folder(self, entry: os.DirEntry[str], path: str) -> None:
        if path.count("/") >= DEEPEST:
            self.odd[path] = f"folders more than {DEEPEST} deep"
            return
        self.folders.add(path)
        try:
            self.enter(Path(entry.path), f"{path}/")
        except PermissionError:
            self.odd[path] = "one that cannot be read"

    def _read(self, entry: os.DirEntry[str], path: str) -> None:
        if self.total_bytes > LARGEST_TOTAL_BYTES:
            self.odd[path] = f"more than {LARGEST_TOTAL_BYTES // 1024 // 1024} MiB of files"
            return
        try:
            # Between the look at it and its opening it may have become a link.
            with open(os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
                content = file.read(LARGEST_BYTES + 1)
        except OSError as error:
            self.odd[path] = f"one that cannot be read ({error.strerror})"
            return
        self.total_bytes += len(content)
        if len(content) > LARGEST_BYTES:
            self.too_large[path] = len(content)
        else:
            self.files[path] = content


class FolderInUseError(Exception):
    """What is to be written would stand beside something else."""


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """The files in a new or an empty folder. Raises: FolderInUseError, OSError."""
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise FolderInUseError(f"{folder} is in use already.")
    _write(folder, files)


def update_folder(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """The files in a folder that holds a course; the paths of what is no part of it any more, and was removed.

    Raises: FolderInUseError where it holds something else, or a link; OSError.
    """
    tree = read_folder(folder)
    if folder.is_dir() and any(folder.iterdir()) and not tree.has_file("course.yaml"):
        raise FolderInUseError(f"{folder} holds something else than a course.")
    if tree.odd:
        path, found = min(tree.odd.items())
        raise FolderInUseError(f"{folder / path} is {found}.")
    gone = [path for path in tree.paths() if path not in files]
    for path in gone:
        (folder / path).unlink()
    for path in sorted(tree.folders, key=len, reverse=True):
        if not any((folder / path).iterdir()):
            (folder / path).rmdir()
    _write(folder, files)
    return gone


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
