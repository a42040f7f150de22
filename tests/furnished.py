"""A site whose first start is over: its course is loaded, all cases are made. Tests start products on copies of it."""

import fcntl
import os
import shutil
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from tests.product import Product

WITHOUT_CASES = """
SELECT COUNT(*) FROM exercises_exerciseversion AS version
WHERE kind IN ('code', 'script') AND NOT EXISTS (
    SELECT 1 FROM exercises_caseset AS made
    WHERE made.exercise_id = version.exercise_id AND made.grading_hash = version.grading_hash
)
"""
# Of the start alone. What the broker holds says that all is well, which has to be found out anew.
NOT_COPIED = shutil.ignore_patterns("lock", "logs", "run", "valkey")


def furnished_site(tmp_path_factory) -> Path:
    """The folder of such a site, made once for all processes of a run; nobody starts a product on it."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    furnished = shared / "furnished"
    with (shared / "furnished.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not furnished.exists():
            _furnish(Path(tmp_path_factory.mktemp("furnished")) / "data", furnished)
    return furnished


def copied(furnished: Path, data: Path) -> Path:
    """A copy of the site, at `data`."""
    return Path(shutil.copytree(furnished, data))


def _furnish(data: Path, furnished: Path) -> None:
    product = Product(data)
    try:
        product.start()
        _wait_for_cases(data / "quizsite.sqlite3", seconds=90)
    finally:
        product.stop()
    shutil.copytree(data, data.parent / "copy", ignore=NOT_COPIED)
    # At once: whoever finds it finds all of it.
    (data.parent / "copy").rename(furnished)


def _wait_for_cases(path: Path, *, seconds: float) -> None:
    end = time.monotonic() + seconds
    with closing(sqlite3.connect(path)) as database:
        while (missing := database.execute(WITHOUT_CASES).fetchone()[0]) and time.monotonic() < end:
            time.sleep(0.1)
    assert not missing, f"{missing} exercises are without cases"
