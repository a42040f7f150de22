"""The most memory that each process of the site held while it was watched."""

import contextlib
import os
import re
import threading
from pathlib import Path

from tests.product import descendants

KINDS = {
    "supervisor": r"manage\.py up",
    "broker": r"valkey",
    "web and events": r"quizsite\.server",
    "worker": r"worker\.app worker",
    "beat": r"worker\.app beat",
    "runner": r"worker\.sandbox\.runner",
    "maker": r"worker\.sandbox\.maker",
    "template and containers": r"worker\.sandbox\.template",
    "PostgreSQL": r"^postgres|/postgres ",
}
EACH_SECONDS = 2.0


class Watch:
    """Looks at all processes again and again, at the side. `peaks`: kind to (most processes, MB of one, MB of all)."""

    def __init__(self, product):
        self._product, self._stopped = product, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.peaks = {}

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_exception):
        self._stopped.set()
        self._thread.join()

    def _look(self):
        while not self._stopped.wait(EACH_SECONDS):
            held = {}
            for pid in [self._product.process.pid, *self._product.parts(), *_of_database()]:
                with contextlib.suppress(OSError, StopIteration):
                    command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    kind = next(kind for kind, pattern in KINDS.items() if re.search(pattern, command))
                    held.setdefault(kind, []).append(_share_in_mb(pid))
            for kind, each in held.items():
                seen = (len(each), max(each), sum(each))
                self.peaks[kind] = tuple(map(max, seen, self.peaks.get(kind, seen)))


def _of_database():
    """The processes of PostgreSQL, where `.ci/with-postgres` says that it is."""
    folder = os.environ.get("POSTGRES_DATA")
    if folder is None:
        return []
    first = int((Path(folder) / "postmaster.pid").read_text().splitlines()[0])
    return [first, *descendants(first)]


def _share_in_mb(pid):
    """Proportional set size: what several processes share counts in parts."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1000
    return 0.0
