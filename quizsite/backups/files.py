"""The folder of a backup: what it says of itself, and sums by which any damage is found.

`SHA256SUMS` is as `sha256sum` writes it and comes last, so a folder without one is no backup.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ABOUT, SUMS = "about.json", "SHA256SUMS"
FORMAT = 1
_SUM_LINE = re.compile(r"([0-9a-f]{64}) [ *]([\w.-]+)")


class BackupError(Exception):
    """A backup cannot be made or brought back; the message says why, and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a backup says of itself. `made_at` is in ISO 8601; `migrations` are those applied, as `app.name`."""

    database: str
    made_at: str
    migrations: tuple[str, ...]
    format: int = FORMAT

    def to_json(self) -> str:
        """For `read_about`."""
        return json.dumps(asdict(self), indent=1) + "\n"


def read_about(text: str) -> About:
    """What `to_json` wrote. Raises: BackupError where it is something else."""
    try:
        data = json.loads(text)
        about = About(**{**data, "migrations": tuple(data["migrations"])})
    except (ValueError, TypeError, KeyError):
        raise BackupError(f"{ABOUT} is not what a backup says of itself.") from None
    if about.format != FORMAT:
        raise BackupError(f"The backup has format {about.format}; this version reads format {FORMAT}.")
    return about


@contextmanager
def new_backup(folder: Path, *, force: bool) -> Iterator[Path]:
    """Where to put the files of a backup; in the end they take the place of what `folder` held, all or none.

    Raises: BackupError where the folder holds something, unless by `force` it is an earlier backup.
    """
    _require_place(folder, force=force)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Inside, not beside: the folder may be a file system of its own.
    draft = folder / ".new"
    _remove(draft)
    draft.mkdir(mode=0o700)
    try:
        yield draft
        _write_sums(draft)
        _move_into_place(draft, folder)
    finally:
        _remove(draft)


def verified(folder: Path) -> About:
    """What the backup says of itself, once every file is found as it was written.

    Raises: BackupError naming the files that are missing or damaged.
    """
    sums = _read_sums(folder)
    damaged = [name for name, expected in sums.items() if not _is_whole(folder / name, expected)]
    if damaged:
        raise BackupError(f"The backup in {folder} is damaged: {', '.join(damaged)}. Take another one.")
    if ABOUT not in sums:
        raise BackupError(f"The backup in {folder} has no sum of {ABOUT}.")
    return read_about((folder / ABOUT).read_text())


def sync(path: Path) -> None:
    """Wait until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _require_place(folder: Path, *, force: bool) -> None:
    if not folder.is_dir():
        if folder.exists():
            raise BackupError(f"{folder} is not a folder.")
        return
    held = {path.name for path in folder.iterdir()} - {".new", "lost+found"}
    if held and not force:
        raise BackupError(f"{folder} holds something. Name a new folder, or replace an earlier backup by --force.")
    if held and SUMS not in held:
        raise BackupError(f"{folder} holds something that is not a backup. Name another folder.")


def _write_sums(draft: Path) -> None:
    lines = [f"{_digest(path)}  {path.name}\n" for path in sorted(draft.iterdir())]
    (draft / SUMS).write_text("".join(lines))
    for path in draft.iterdir():
        path.chmod(0o600)
        sync(path)


def _move_into_place(draft: Path, folder: Path) -> None:
    names = [path.name for path in draft.iterdir()]
    earlier = _read_sums(folder) if (folder / SUMS).exists() else {}
    # The sums go first and come last: whatever happens in between is no backup, and not a damaged one.
    (folder / SUMS).unlink(missing_ok=True)
    for name in earlier.keys() - set(names):
        (folder / name).unlink(missing_ok=True)
    for name in sorted(names, key=SUMS.__eq__):
        (draft / name).replace(folder / name)
    sync(folder)


def _read_sums(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / SUMS).read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        raise BackupError(f"There is no whole backup in {folder}: it has no {SUMS}.") from None
    found = [_SUM_LINE.fullmatch(line) for line in lines]
    if not found or None in found:
        raise BackupError(f"{folder / SUMS} is not a list of sums.")
    return {match[2]: match[1] for match in found if match}


def _is_whole(path: Path, expected: str) -> bool:
    try:
        return _digest(path) == expected
    except OSError:
        return False


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _remove(draft: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        for path in draft.iterdir():
            path.unlink()
        draft.rmdir()
