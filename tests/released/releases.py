"""What is kept of each release: a small site of it on both databases, what is in it, and sums of its migrations."""

import hashlib
import json
import tarfile
import tomllib
from pathlib import Path

from tests.product import ROOT

FOLDER = Path(__file__).parent
MANIFEST = "manifest.json"
MIGRATIONS = ROOT / "exercises" / "migrations"


def current_version():
    """What `pyproject.toml` says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def kept_versions():
    """The releases of which something is kept."""
    return sorted(path.parent.name for path in FOLDER.glob(f"*/{MANIFEST}"))


def manifest(version):
    return json.loads((FOLDER / version / MANIFEST).read_text())


def archive(version, vendor):
    """The file with the backup of that release's site on such a database."""
    return FOLDER / version / f"{vendor}.tar.xz"


def pack(folder, target):
    """The files of a backup as one archive that is the same for the same files."""
    with tarfile.open(target, "w:xz", preset=9) as packed:
        for path in sorted(folder.iterdir()):
            entry = tarfile.TarInfo(path.name)
            entry.size = path.stat().st_size
            with path.open("rb") as file:
                packed.addfile(entry, file)


def unpack(version, vendor, folder):
    """The backup, as it was."""
    with tarfile.open(archive(version, vendor)) as packed:
        packed.extractall(folder, filter="data")


def sums_of_migrations(folder=MIGRATIONS):
    """By name of each migration the sum of its file."""
    return {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("[0-9]*.py"))}
