"""The assets of a course: pictures and small data files, by an allow-list of types and with caps."""

from __future__ import annotations

import hashlib
import re
from pathlib import PurePosixPath

from exercises.content.drawings import drawing_refusal
from exercises.content.files import LARGEST_BYTES, FileTree
from exercises.content.problems import Problem
from exercises.content.values import AssetFile

LARGEST_TOTAL_BYTES = 16 * 1024 * 1024
MOST_FILES = 500
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")

# Type, and how a file of that type begins.
TYPES: dict[str, tuple[str, bytes]] = {
    ".png": ("image/png", b"\x89PNG\r\n\x1a\n"),
    ".jpg": ("image/jpeg", b"\xff\xd8\xff"),
    ".jpeg": ("image/jpeg", b"\xff\xd8\xff"),
    ".gif": ("image/gif", b"GIF8"),
    ".webp": ("image/webp", b"RIFF"),
    ".svg": ("image/svg+xml", b"<svg"),
    ".csv": ("text/csv", b""),
    ".json": ("application/json", b""),
    ".txt": ("text/plain", b""),
    ".npy": ("application/octet-stream", b"\x93NUMPY"),
    ".safetensors": ("application/octet-stream", b""),
}


def read_assets(tree: FileTree) -> tuple[list[AssetFile], list[Problem]]:
    """What may be served from `assets/`, and why the rest may not."""
    assets: list[AssetFile] = []
    problems: list[Problem] = []
    total = 0
    for name in tree.paths():
        if message := asset_refusal(tree, name, name):
            problems.append(Problem(file=f"assets/{name}", message=message))
            continue
        content = tree.files[name]
        total += len(content)
        media_type, start = TYPES[PurePosixPath(name).suffix]
        if not content.startswith(start):
            message = f"expected a file of the type {PurePosixPath(name).suffix}, found other content"
            problems.append(Problem(file=f"assets/{name}", message=message))
        elif media_type == "image/svg+xml" and (message := drawing_refusal(content)):
            problems.append(Problem(file=f"assets/{name}", message=message))
        digest = hashlib.sha256(content).hexdigest()
        assets.append(AssetFile(path=name, media_type=media_type, digest=digest, content=content))
        if total > LARGEST_TOTAL_BYTES or len(assets) > MOST_FILES:
            message = f"expected at most {MOST_FILES} files and {mebibytes(LARGEST_TOTAL_BYTES)} together, found more"
            problems.append(Problem(file="assets", message=message))
            break
    return assets, problems


def asset_refusal(tree: FileTree, path: str, name: str) -> str:
    """Why the file at `path`, to be called `name`, may not be taken in; "" where it may."""
    if path in tree.odd:
        return f"expected a file, found {tree.odd[path]}"
    if not all(_NAME.fullmatch(part) for part in name.split("/")) or len(name) > 200:
        return "expected a name of letters, digits, points, hyphens and underscores"
    if (suffix := PurePosixPath(name).suffix) not in TYPES:
        return f"expected one of the types {', '.join(TYPES)}, found {suffix or 'none'}"
    size = tree.too_large.get(path) or len(tree.files[path])
    if size > LARGEST_BYTES:
        return f"expected at most {mebibytes(LARGEST_BYTES)}, found {mebibytes(size)}"
    return ""


def mebibytes(size: int) -> str:
    """A size in words."""
    return f"{size / 1024 / 1024:.3g} MiB"
