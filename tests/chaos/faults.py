"""What happens to a site: processes killed and stopped, the broker wiped, the database restarted."""

import contextlib
import os
import random
import re
import signal
import subprocess
import time
from collections import Counter, defaultdict, deque
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.product import descendants

PARTS = {
    "web": r"quizsite\.server",
    "worker parent": r"worker\.app worker",
    "worker child": r"worker\.app worker",
    "runner": r"worker\.sandbox\.runner",
    "maker": r"worker\.sandbox\.maker",
    "template": r"worker\.sandbox\.template",
    "beat": r"worker\.app beat",
}
WIPE, RESTART = "broker wiped", "database restarted"
# The supervisor gives up on what dies five times within a minute: that is no fault to be survived but a broken site.
DEATHS_AT_MOST, DEATHS_WITHIN_SECONDS = 3, 60
STOPPED_SECONDS = (0.2, 2.0)
PAUSE_SECONDS = (0.1, 1.0)
APPEARS_SECONDS = 60


class Faults:
    """A shuffled list of faults, done one after the other; `share_done` says how far it is."""

    def __init__(self, product, *, kills, wipes, restarts, seed):
        self._product, self._random = product, random.Random(seed)
        self._planned = [(part, how) for part in PARTS for how in ("SIGKILL", "SIGSTOP") for _ in range(kills)]
        self._planned += [(WIPE, "")] * wipes + [(RESTART, "")] * restarts
        self._random.shuffle(self._planned)
        self._total, self._deaths = len(self._planned), defaultdict(deque)
        self.done, self.seen, self.runners = Counter(), {}, set()

    def share_done(self):
        """Between 0 and 1."""
        return (self._total - len(self._planned)) / self._total if self._total else 1.0

    def run(self):
        """Do all of them, each when it may be done."""
        while self._planned:
            self.look_around()
            number = next((n for n, (part, how) in enumerate(self._planned) if self._may(part, how)), None)
            if number is not None:
                part, how = self._planned[number]
                self._do(part, how)
                self.done[part, how] += 1
                del self._planned[number]
            time.sleep(self._random.uniform(*PAUSE_SECONDS))

    def look_around(self):
        """Remember the processes that are there, by id and the moment of their start."""
        for pid, command in self._product.parts().items():
            if (started := _started(pid)) is not None:
                self.seen[pid, started] = command
                if re.search(PARTS["runner"], command):
                    self.runners.add(pid)

    def _may(self, part, how):
        if how != "SIGKILL":
            return True
        deaths = self._deaths[part]
        while deaths and deaths[0] < time.monotonic() - DEATHS_WITHIN_SECONDS:
            deaths.popleft()
        return len(deaths) < DEATHS_AT_MOST

    def _do(self, part, how):
        if part == WIPE:
            _wipe(self._product.data)
        elif part == RESTART:
            _restart_database()
        elif how == "SIGKILL":
            os.kill(self._victim(part), signal.SIGKILL)
            self._deaths[part].append(time.monotonic())
        else:
            self._stop_for_a_while(self._victim(part))

    def _stop_for_a_while(self, pid):
        os.kill(pid, signal.SIGSTOP)
        time.sleep(self._random.uniform(*STOPPED_SECONDS))
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    def _victim(self, part):
        end = time.monotonic() + APPEARS_SECONDS
        while not (found := self._candidates(part)):
            assert time.monotonic() < end, f"no {part} for {APPEARS_SECONDS} s"
            time.sleep(0.05)
        return self._random.choice(found)

    def _candidates(self, part):
        """Processes of a part: the first of its kind, or for a worker's child one below the first."""
        kind = [pid for pid in self._product.pids_of(PARTS[part]) if _started(pid) is not None]
        below = {pid for parent in kind for pid in descendants(parent)}
        return [pid for pid in kind if (pid in below) == (part == "worker child")]


def is_alive(pid, started):
    """Whether the process that began then is still there."""
    return _started(pid) == started


def _started(pid):
    """When a process began, in ticks since the machine did; None for what is gone or a zombie."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if fields[0] in "ZX" else int(fields[19])


def _wipe(data):
    """Everything in the broker is gone: what it queued, told, and counted."""
    with contextlib.suppress(RedisError), Redis.from_url(f"unix://{data}/run/valkey.sock", socket_timeout=5) as broker:
        broker.flushall()


def _restart_database():
    """PostgreSQL broken off as by a loss of power, and started again. `.ci/with-postgres` says where it is."""
    owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = os.environ["POSTGRES_DATA"]
    command = [*owner, f"{os.environ['POSTGRES_PROGRAMS']}/pg_ctl", "--pgdata", folder, "--mode", "immediate"]
    subprocess.run([*command, "--silent", "--wait", "--log", f"{folder}.log", "restart"], check=True, cwd="/")
