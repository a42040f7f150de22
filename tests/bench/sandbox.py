"""One job at a time, many at once, and what all of it holds in memory."""

import contextlib
import os
import statistics
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from tests.bench.floor import SHAPES, Floor
from tests.product import RIGHT, descendants
from tests.worker.sandbox.runs import InBackground, wait_until
from worker.sandbox.job import Call, CallProgram, Job, Limits, TensorBytes

ROUNDS = 60
JOBS = 200
# How many jobs, then forks, in one turn.
TURN = 50
_REST_SECONDS = 0.1
_SLOW = "import time\n" + RIGHT.replace("    scores =", "    time.sleep(0.5)\n    scores =")
_HOG = "import threading\n\ndef burn():\n    while True: sum(range(1000))\n" + RIGHT.replace(
    "    scores =", "    for _ in range(12): threading.Thread(target=burn).start()\n    burn()\n    scores ="
)


def attention_job(source=RIGHT):
    calls = tuple(
        Call(name=f"case {index}", visible=index < 2, args=tuple(_zeros(rows, width) for rows in (queries, keys, keys)))
        for index, (queries, keys, width) in enumerate(SHAPES)
    )
    program = CallProgram(source=source, entry="scaled_dot_product_attention", calls=calls)
    return Job(id=uuid.uuid4().hex, program=program)


def _zeros(rows, width):
    return TensorBytes(dtype="float32", shape=(rows, width), data=bytes(4 * rows * width))


def one_at_a_time(client):
    """Seconds of bare forks and of isolated jobs, in turns: with rest, and back to back."""
    found = {name: [] for name in ("bare", "latency", "isolated", "hurried latency", "hurried")}
    with Floor() as floor:
        for _ in range(ROUNDS // 10):
            for _ in range(10):
                time.sleep(_REST_SECONDS)
                found["bare"] += floor.seconds(1)
                time.sleep(_REST_SECONDS)
                latency, whole = job_seconds(client)
                found["latency"].append(latency)
                found["isolated"].append(whole)
            for _ in range(10):
                latency, whole = job_seconds(client)
                found["hurried latency"].append(latency)
                found["hurried"].append(whole)
    return found


def job_seconds(client):
    """Seconds from a job to its last output, and to its report."""
    arrived = []
    started = time.perf_counter()
    client.run(attention_job(), lambda _: arrived.append(time.perf_counter()))
    return arrived[-1] - started, time.perf_counter() - started


def beside_a_hog(client):
    """Seconds of isolated jobs while another run keeps all cores busy with as many threads as it may have."""
    times = []
    hog = InBackground(client.run, replace(attention_job(_HOG), limits=Limits(cpu_seconds=10.0)))
    wait_until(lambda: client.status()["running"] == 1)
    time.sleep(0.5)
    while hog.is_alive():
        time.sleep(_REST_SECONDS)
        times.append(job_seconds(client)[1])
    # The last one may have had the cores for itself.
    return times[:-1]


@dataclass
class Spent:
    """What a kind of work took: by the clock, and of CPU time, ours and that of the given processes."""

    pids: list[int]
    wall: float = 0.0
    cpu: float = 0.0

    @contextlib.contextmanager
    def counting(self):
        wall, cpu = time.perf_counter(), self._cpu()
        yield
        self.wall += time.perf_counter() - wall
        self.cpu += self._cpu() - cpu

    def _cpu(self):
        return time.process_time() + sum(map(_cpu_seconds, self.pids))


def _cpu_seconds(pid):
    """CPU time of a process and of the children that it waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    # Source: proc(5): utime, stime, cutime and cstime are fields 14 to 17; the name ended field 2.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def many_at_once(client, at_once):
    """What took so many at once, in turns: isolated jobs, bare forks of a warm process, of one with torch alone."""
    family = [client.status()["pid"]]
    family += [pid for pid in descendants(family[0]) if _parent(pid) == family[0]]
    spent = {"jobs": Spent(family)}
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(at_once) as pool:
        floors = {}
        for warmth in ("warm", "imported"):
            floors[warmth] = [stack.enter_context(Floor(warmth)) for _ in range(at_once)]
            spent[warmth] = Spent([floor.pid for floor in floors[warmth]])
        for _ in range(JOBS // TURN):
            with spent["jobs"].counting():
                list(pool.map(lambda _: client.run(attention_job()), range(TURN)))
            for warmth, forking in floors.items():
                with spent[warmth].counting():
                    list(pool.map(lambda floor: floor.seconds(TURN // at_once), forking))
    return spent


def _parent(pid):
    """Its parent; 0 if it is no more."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return int(Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[1])
    return 0


def imports_each_second(at_once):
    """How many fresh interpreters that import torch a second, and how long one takes alone."""
    alone = statistics.median(_import_seconds(0) for _ in range(3))
    with ThreadPoolExecutor(at_once) as pool:
        started = time.perf_counter()
        list(pool.map(_import_seconds, range(3 * at_once)))
        return 3 * at_once / (time.perf_counter() - started), alone


def _import_seconds(_):
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    return time.perf_counter() - started


def memory(client):
    """Megabytes of the runner and all below it: at rest with its reserve, and what one run more adds."""
    slots = client.status()["slots"]
    wait_until(lambda: client.status()["containers"]["ready"] == 2 * slots)
    rest = proportional_megabytes(client.status()["pid"])
    job = InBackground(client.run, attention_job(_SLOW))
    wait_until(lambda: client.status()["running"] == 1 and client.status()["containers"]["ready"] == 2 * slots)
    time.sleep(0.3)
    more = proportional_megabytes(client.status()["pid"])
    job.answer()
    return rest, more - rest


def proportional_megabytes(pid):
    """Proportional set size of a process and all below it."""
    return sum(map(_megabytes, (pid, *descendants(pid))))


def _megabytes(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
    return 0.0
