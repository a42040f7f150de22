import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from quizsite.logs import Log
from quizsite.parts import Part
from quizsite.supervisor import GaveUpError, Supervisor

ROOT = Path(__file__).parents[2]
SLEEPER = "import time; print('awake', flush=True); time.sleep(600)"


def make_part(name, program, **changes):
    fields = {
        "command": (sys.executable, "-c", program),
        "folder": ROOT,
        "environment": {},
        "stage": 0,
        "stop_seconds": 5,
    }
    return Part(name=name, **{**fields, **changes})


class Watched:
    """A supervisor, what it said, and its log."""

    def __init__(self, folder):
        self.said = []
        self._folder = folder
        self._log = Log(folder, self.said.append)
        self.supervisor = Supervisor(self._log, self.said.append)

    @property
    def log(self):
        return (self._folder / "parts.log").read_text()

    def until(self, is_done, seconds=20):
        assert self.supervisor.watch_until(is_done, seconds=seconds), (self.said, self.log)

    def close(self):
        self.supervisor.stop()
        self._log.close()


@pytest.fixture
def watched(tmp_path):
    made = Watched(tmp_path)
    yield made
    made.close()


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(is_done, seconds=20):
    end = time.monotonic() + seconds
    while not is_done() and time.monotonic() < end:
        time.sleep(0.05)
    assert is_done()


def test_lines_of_a_part_are_logged_under_its_name(watched):
    watched.supervisor.start([make_part("first", SLEEPER)])

    watched.until(lambda: "first  | awake" in watched.log)

    assert watched.said == []


def test_fault_is_shown_on_the_console_with_its_whole_traceback(watched):
    program = (
        "import time, traceback\n"
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n    traceback.print_exc()\n"
        "print('quiet', flush=True); time.sleep(600)"
    )
    watched.supervisor.start([make_part("first", program)])

    watched.until(lambda: "quiet" in watched.log)

    assert watched.said[0] == "first | Traceback (most recent call last):"
    assert watched.said[-1] == "first | ZeroDivisionError: division by zero"


def test_control_characters_of_a_part_are_replaced(watched):
    watched.supervisor.start([make_part("first", r"import time; print('a\x1b[2Jb', flush=True); time.sleep(600)")])

    watched.until(lambda: "a�[2Jb" in watched.log)


def test_part_that_died_starts_again_and_its_last_words_are_shown(watched):
    watched.supervisor.start([make_part("first", "print('the last word', end=''); raise SystemExit(3)")])

    watched.until(lambda: len(watched.said) >= 4)

    assert watched.said[:2] == ["first | the last word", "first ended with status 3; it starts again in 0.1 s."]
    assert watched.said[3] == "first ended with status 3; it starts again in 0.2 s."


def test_part_that_was_killed_starts_again(watched):
    watched.supervisor.start([make_part("first", SLEEPER)])
    watched.until(lambda: watched.log.count("awake") == 1)

    os.kill(watched.supervisor.pids()["first"], signal.SIGKILL)

    watched.until(lambda: watched.log.count("awake") == 2)
    assert watched.said[-1] == "first was ended by SIGKILL; it starts again in 0.1 s."


def test_five_deaths_within_a_minute_are_too_many(watched):
    watched.supervisor.start([make_part("first", "raise SystemExit(1)")])

    with pytest.raises(GaveUpError, match="first ended with status 1, for the fifth time within a minute"):
        watched.until(lambda: False, seconds=60)


def test_part_with_closed_output_is_still_looked_after(watched):
    watched.supervisor.start([make_part("first", "import os, time; os.close(1); os.close(2); time.sleep(0.5)")])

    watched.until(lambda: watched.said != [])

    assert watched.said[0] == "first ended with status 0; it starts again in 0.1 s."


def test_stop_ends_later_stages_before_earlier_ones(watched, tmp_path):
    marks = tmp_path / "marks"
    program = (
        "import signal, sys, time\n"
        f"def mark(*_): open({str(marks)!r}, 'a').write(sys.argv[1] + ' '); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, mark); print('awake', flush=True); time.sleep(600)"
    )
    for stage, name in enumerate(["lowest", "middle", "highest"]):
        watched.supervisor.start([make_part(name, program, command=(sys.executable, "-c", program, name), stage=stage)])
    watched.until(lambda: watched.log.count("awake") == 3)

    watched.supervisor.stop()

    assert marks.read_text() == "highest middle lowest "
    assert watched.said == []


def test_stop_kills_a_part_that_does_not_listen_and_its_children(watched):
    program = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print('child', child.pid, flush=True); time.sleep(600)"
    )
    watched.supervisor.start([make_part("first", program, stop_seconds=0.3)])
    watched.until(lambda: "child" in watched.log)
    parent, child = watched.supervisor.pids()["first"], int(watched.log.split()[-1])

    watched.supervisor.stop()

    wait_until(lambda: not is_alive(parent) and not is_alive(child))


def test_children_of_a_killed_part_are_killed_too(watched):
    program = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print('child', child.pid, flush=True); time.sleep(600)"
    )
    watched.supervisor.start([make_part("first", program)])
    watched.until(lambda: "child" in watched.log)
    child = int(watched.log.split()[-1])

    os.kill(watched.supervisor.pids()["first"], signal.SIGKILL)

    watched.until(lambda: not is_alive(child))


def test_parts_die_with_a_supervisor_that_was_killed(tmp_path):
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tests.quizsite.test_supervisor import SLEEPER, Watched, make_part\n"
        f"watched = Watched(Path({str(tmp_path)!r}))\n"
        "watched.supervisor.start([make_part('first', SLEEPER), make_part('second', SLEEPER)])\n"
        "watched.until(lambda: watched.log.count('awake') == 2)\n"
        "print(*watched.supervisor.pids().values(), flush=True)\n"
        "time.sleep(600)"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    pids = [int(pid) for pid in supervisor.stdout.readline().split()]
    assert len(pids) == 2
    assert all(is_alive(pid) for pid in pids)

    supervisor.kill()

    wait_until(lambda: not any(is_alive(pid) for pid in pids))
    supervisor.communicate()
