"""What each kind of process of the site held in memory at most, and computed, while it was watched."""

import contextlib
import os
import re
import threading
from collections import defaultdict
from dataclasses import dataclass
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


@dataclass(kw_only=True)
class Spent:
    """Of one kind: the most processes at a time, the most MB of one and of all together, and seconds of computing.

    `pss` is the proportional set size, where what several processes share counts in parts; `rss` counts it whole.
    """

    number: int = 0
    pss: float = 0.0
    all_pss: float = 0.0
    rss: float = 0.0
    cpu: float = 0.0


class Watch:
    """Looks at all processes again and again, at the side. `spent`: what each kind of process needed."""

    def __init__(self, product):
        self._product, self._stopped = product, threading.Event()
        self._thread = threading.Thread(target=self._look_again, daemon=True)
        self._before = {}
        self.spent = defaultdict(Spent)

    def __enter__(self):
        self._before = self._cpu()
        self._thread.start()
        return self

    def __exit__(self, *_exception):
        self._stopped.set()
        self._thread.join()
        for kind, seconds in self._cpu().items():
            self.spent[kind].cpu = seconds - self._before.get(kind, 0.0)

    def _look_again(self):
        self._look()
        while not self._stopped.wait(EACH_SECONDS):
            self._look()

    def _look(self):
        for kind, pids in self._by_kind().items():
            sizes = [size for pid in pids if (size := _megabytes(pid)) is not None]
            if sizes:
                spent, (pss, rss) = self.spent[kind], zip(*sizes, strict=True)
                spent.number, spent.all_pss = max(spent.number, len(sizes)), max(spent.all_pss, sum(pss))
                spent.pss, spent.rss = max(spent.pss, *pss), max(spent.rss, *rss)

    def _cpu(self):
        """Seconds by kind. Children that have ended are in what their parents computed."""
        return {kind: sum(map(_cpu_seconds, pids)) for kind, pids in self._by_kind().items()}

    def _by_kind(self):
        found = defaultdict(list)
        for pid in [self._product.process.pid, *self._product.parts(), *_of_database()]:
            with contextlib.suppress(OSError, StopIteration):
                command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[next(kind for kind, pattern in KINDS.items() if re.search(pattern, command))].append(pid)
        return found


def _of_database():
    """The processes of PostgreSQL, where `.ci/with-postgres` says that it is."""
    folder = os.environ.get("POSTGRES_DATA")
    if folder is None:
        return []
    first = int((Path(folder) / "postmaster.pid").read_text().splitlines()[0])
    return [first, *descendants(first)]


def _megabytes(pid):
    """Proportional and resident set size; None of a process that is gone."""
    with contextlib.suppress(OSError):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        sizes = {name: int(rest.split()[0]) / 1000 for name, _, rest in (line.partition(":") for line in lines[1:])}
        return sizes["Pss"], sizes["Rss"]
    return None


def _cpu_seconds(pid):
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        # Source: proc(5): utime, stime, cutime and cstime are fields 14 to 17; the name ended field 2.
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0
