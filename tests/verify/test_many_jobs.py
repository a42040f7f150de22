"""Ten thousand jobs: each gets its own answer, and the machine is as it was before."""

import random
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.product import descendants
from worker.sandbox.job import Call, CallProgram, Job, Limits, Status
from worker.sandbox.service import private_runner

pytestmark = [pytest.mark.verify, pytest.mark.sandbox]

JOBS = 10_000
AT_ONCE = 4
KINDS = {
    "adds": ("def f(x):\n    return x + 1\n", Status.FINISHED),
    "raises": ("def f(x):\n    raise ValueError(x)\n", Status.FINISHED),
    "leaves": ("import os\ndef f(x):\n    os._exit(0)\n", Status.EXITED),
    "crashes": ("import os, signal\ndef f(x):\n    os.kill(os.getpid(), signal.SIGSEGV)\n", None),
    "prints": ("def f(x):\n    print('x' * 10_000)\n    return x + 1\n", Status.FINISHED),
}
WEIGHTS = (80, 5, 5, 5, 5)


def test_ten_thousand_jobs_are_answered_and_leave_nothing(tmp_path):
    chosen = random.Random(1).choices(list(KINDS), WEIGHTS, k=JOBS)
    with private_runner() as client:
        run_all(client, chosen[:100])
        before = traces()

        wrong = run_all(client, chosen)

        after = traces()
    assert wrong == []
    # What is prepared for the next jobs comes and goes, and nothing grows.
    assert {name: after[name] - before[name] for name in after if after[name] > before[name] + 20} == {}


def run_all(client, kinds):
    """Those jobs that did not end as they should, with their numbers."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return [said for said in threads.map(lambda job: run_one(client, *job), enumerate(kinds)) if said]


def run_one(client, number, kind):
    source, status = KINDS[kind]
    program = CallProgram(source=source, entry="f", calls=(Call(name="only", visible=True, args=(number,)),))
    report = client.run(Job(id=uuid.uuid4().hex, program=program, limits=Limits()))
    if status is not None and report.status is not status:
        return (number, kind, report.status, report.detail)
    if kind in ("adds", "prints") and [result.value for result in report.results] != [number + 1]:
        return (number, kind, report.results)
    return None


def traces():
    """Counts of what a run could leave behind on the machine."""
    return {
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "control groups": sum(1 for path in Path("/sys/fs/cgroup").rglob("cgroup.procs")),
        "processes": len(descendants(1)),
        "temporary files": sum(1 for path in Path("/tmp").iterdir()),
    }
