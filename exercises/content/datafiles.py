"""The data of an exercise: small files that its programs read, by an allow-list of types and with caps."""

from __future__ import annotations

import base64
from pathlib import Path

from exercises.content.assets import asset_refusal, files_below, mebibytes
from exercises.content.problems import Problem

LARGEST_TOTAL_BYTES = 2 * 1024 * 1024
MOST_FILES = 50


def read_data(folder: Path) -> tuple[dict[str, str], list[Problem]]:
    """The files below `folder` (`data/`, which may be absent) as `data/<path>`: base64; and why the rest may not be."""
    files: dict[str, str] = {}
    problems: list[Problem] = []
    total = 0
    for path in files_below(folder):
        file = f"data/{path.relative_to(folder).as_posix()}"
        if message := asset_refusal(path, file):
            problems.append(Problem(file=file, message=message))
            continue
        content = path.read_bytes()
        total += len(content)
        files[file] = base64.b64encode(content).decode("ascii")
    if total > LARGEST_TOTAL_BYTES or len(files) > MOST_FILES:
        message = f"expected at most {MOST_FILES} files and {mebibytes(LARGEST_TOTAL_BYTES)} together, found more"
        problems.append(Problem(file="data", message=message))
    return files, problems
