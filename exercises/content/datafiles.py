"""The data of an exercise: small files that its programs read, by an allow-list of types and with caps."""

from __future__ import annotations

import base64

from exercises.content.assets import asset_refusal, mebibytes
from exercises.content.files import FileTree
from exercises.content.problems import Problem

LARGEST_TOTAL_BYTES = 2 * 1024 * 1024
MOST_FILES = 50


def read_data(tree: FileTree) -> tuple[dict[str, str], list[Problem]]:
    """The files of `data/` as `data/<path>`: base64; and why the rest may not be."""
    files: dict[str, str] = {}
    problems: list[Problem] = []
    total = 0
    for name in tree.paths():
        file = f"data/{name}"
        if message := asset_refusal(tree, name, file):
            problems.append(Problem(file=file, message=message))
            continue
        content = tree.files[name]
        total += len(content)
        files[file] = base64.b64encode(content).decode("ascii")
    if total > LARGEST_TOTAL_BYTES or len(files) > MOST_FILES:
        message = f"expected at most {MOST_FILES} files and {mebibytes(LARGEST_TOTAL_BYTES)} together, found more"
        problems.append(Problem(file="data", message=message))
    return files, problems
