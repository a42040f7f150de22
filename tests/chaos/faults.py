"""What happens to a site: processes killed and stopped, the broker wiped, the database restarted and away."""

import contextlib
import os
import random
import re
import shlex
import signal
import sqlite3
import subprocess
import time
from collections import Counter, defaultdict, deque
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from tests.product import descendants

EVERYWHERE = {
    "worker parent": r"worker\.app worker",
    "worker child": r"worker\.app worker",
    "runner": r"worker\.sandbox\.runner",
    "maker": r"worker\.sandbox\.maker",
    "template": r"worker\.sandbox\.template",
    "beat": r"worker\.app beat",
}
# As `up` starts them: pages and events in one process.
TOGETHER = {"web with events": r"quizsite\.server", **EVERYWHERE}
# As containers do.
APART = {
    "web parent": r"gunicorn quizsite\.wsgi",
    "web child": r"gunicorn quizsite\.wsgi",
    "events": r"uvicorn quizsite\.events",
    **EVERYWHERE,
}
WIPE, RESTART, AWAY = "broker wiped", "database restarted", "database away for 20 s"
AWAY_SECONDS = 20
# The supervisor gives up on what dies five times within a minute: that is no fault to be survived but a broken site.
DEATHS_AT_MOST, DEATHS_WITHIN_SECONDS = 3, 60
STOPPED_SECONDS = (0.2, 2.0)
PAUSE_SECONDS = (0.1, 1.0)
APPEARS_SECONDS = 60


class Faults:
    """A shuffled list of faults, done one after the other; `share_done` says how far it is."""

    def __init__(self, product, plan, *, parts, on_sqlite):
        self._product, self._random = product, random.Random(plan.seed)
        self._patterns, self._on_sqlite = parts, on_sqlite
        self._planned = [(part, how) for part in parts for how in ("SIGKILL", "SIGSTOP") for _ in range(plan.kills)]
        self._planned += [(WIPE, "")] * plan.wipes + [(AWAY, "")] * plan.outages
        self._planned += [] if on_sqlite else [(RESTART, "")] * plan.restarts
        self._random.shuffle(self._planned)
        self._total, self._deaths = len(self._planned), defaultdict(deque)
        self.done, self.seen, self.runners = Counter(), {}, set()

    @property
    def parts(self):
        """Their names."""
        return tuple(self._patterns)

    def share_done(self):
        """Between 0 and 1."""
        return (self._total - len(self._planned)) / self._total if self._total else 1.0

    def run(self):
        """Do all of them, each when it may be done."""
        while self._planned:
            assert self._product.process.poll() is None, f"the product ended:\n{self._product.said()}"
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
                if re.search(self._patterns["runner"], command):
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
            _command_database("restart")
        elif part == AWAY:
            _hold_sqlite(self._product.data) if self._on_sqlite else _take_database_away()
        elif how == "SIGKILL":
            self._signal(part, signal.SIGKILL)
            self._deaths[part].append(time.monotonic())
        else:
            self._stop_for_a_while(part)

    def _stop_for_a_while(self, part):
        pid = self._signal(part, signal.SIGSTOP)
        time.sleep(self._random.uniform(*STOPPED_SECONDS))
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    def _signal(self, part, number):
        """Send a signal to a process of the part; which one it was. One that has just ended is no victim."""
        while True:
            pid = self._victim(part)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
                return pid

    def _victim(self, part):
        end = time.monotonic() + APPEARS_SECONDS
        while not (found := self._candidates(part)):
            assert time.monotonic() < end, f"no {part} for {APPEARS_SECONDS} s:\n{self._product.said()}"
            time.sleep(0.05)
        return self._random.choice(found)

    def _candidates(self, part):
        """Processes of a part: the first of its kind, or for a child one below the first."""
        kind = [pid for pid in self._product.pids_of(self._patterns[part]) if _started(pid) is not None]
        below = {pid for parent in kind for pid in descendants(parent)}
        return [pid for pid in kind if (pid in below) == part.endswith("child")]


def is_alive(pid, started):
    """Whether the process that began then is still there."""
    return _started(pid) == started


def _started(pid):
    """When a process began, in ticks since the machine did; None for what is gone or a zombie."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return None if fields[0] in "ZX" else int(fields[19])


def _wipe(data):
    """Everything in the broker is gone: what it queued, told, and counted."""
    with contextlib.suppress(RedisError), Redis.from_url(f"unix://{data}/run/valkey.sock", socket_timeout=5) as broker:
        broker.flushall()


def _command_database(command, *options):
    """PostgreSQL broken off as by a loss of power, or started again. `.ci/with-postgres` says where it is."""
    owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = os.environ["POSTGRES_DATA"]
    mode = [] if command == "start" else ["--mode", "immediate"]
    log = [] if command == "stop" else ["--log", f"{folder}.log"]
    program = [*owner, f"{os.environ['POSTGRES_PROGRAMS']}/pg_ctl", "--pgdata", folder, "--silent", "--wait"]
    subprocess.run([*program, *mode, *log, *options, command], check=True, cwd="/")


def _take_database_away():
    """Nobody answers where PostgreSQL was; then it is started as it was before."""
    _program, *arguments = shlex.split((Path(os.environ["POSTGRES_DATA"]) / "postmaster.opts").read_text())
    _command_database("stop")
    time.sleep(AWAY_SECONDS)
    _command_database("start", "--options", shlex.join(arguments))


def _hold_sqlite(data):
    """Nobody else may write."""
    with contextlib.closing(sqlite3.connect(data / "quizsite.sqlite3", timeout=60, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        time.sleep(AWAY_SECONDS)
        database.execute("ROLLBACK")
