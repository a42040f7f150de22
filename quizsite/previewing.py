"""Keeps the site of a preview as its folder is: `python -m quizsite.previewing FOLDER`.

The folder is looked at twice a second. What became of it stands in a file, which the pages and the terminal read.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import django
from django.conf import settings

from exercises.content.files import is_part
from exercises.content.folders import MOST_FILES

LOOK_SECONDS: Final = 0.5
# Editors and version control write several files, one after the other.
SETTLE_SECONDS: Final = 0.2
LONGEST_LINE: Final = 200
Signature = dict[str, tuple[int, int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A problem of a file, in words, with the text of the line that it is about."""

    place: str
    message: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewState:
    """What became of the folder when it was read last; `number` counts how often it was."""

    number: int
    changes: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def read_state() -> PreviewState | None:
    """What the folder became; None before it was read."""
    try:
        said = json.loads(_state_file().read_text())
    except FileNotFoundError:
        return None
    return PreviewState(**{**said, "faults": [Fault(**fault) for fault in said["faults"]]})


def write_state(state: PreviewState) -> None:
    """Put it where `read_state` finds it, whole at any time."""
    new = _state_file().with_suffix(".new")
    new.write_text(json.dumps(asdict(state)))
    new.rename(_state_file())


def signature(folder: Path) -> Signature:
    """What is different after a file was saved, moved or removed."""
    return dict(_seen(folder, ""))


def follow(folder: Path) -> Iterator[PreviewState]:
    """What becomes of the folder now, and after each change; never ends."""
    # Here, since Django is set up by now.
    from quizsite.preview_loading import load_folder  # noqa: PLC0415

    before = read_state()
    number, seen = before.number if before else 0, None
    while True:
        now = signature(folder)
        if now != seen:
            time.sleep(SETTLE_SECONDS)
            if signature(folder) != now:
                continue
            seen, number = now, number + 1
            yield load_folder(folder, number)
        time.sleep(LOOK_SECONDS)


def main(arguments: list[str] | None = None) -> int:
    """Follow the folder until told to stop."""
    (folder,) = sys.argv[1:] if arguments is None else arguments
    django.setup()
    for state in follow(Path(folder)):
        write_state(state)
    return 0


def _state_file() -> Path:
    return Path(settings.DATA) / "preview.json"


def _seen(folder: Path, start: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)[:MOST_FILES]
    except OSError:
        return
    for entry in entries:
        if not is_part(entry.name):
            continue
        path = start + entry.name
        try:
            about = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        yield path, (about.st_mtime_ns, about.st_size, about.st_ino)
        if entry.is_dir(follow_symlinks=False):
            yield from _seen(Path(entry.path), f"{path}/")


if __name__ == "__main__":
    sys.exit(main())
