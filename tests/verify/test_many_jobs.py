"""Ten thousand jobs: each gets its own answer, and the machine is as it was before."""

import random
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from tests.corpus.arena import open_arena
from tests.corpus.traces import resident_bytes, traces
from worker.sandbox.job import MEBIBYTE, Call, CallProgram, Job, Limits, Status

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.timeout(3600)]

JOBS = 10_000
AT_ONCE = 4
# What waits in this process is not to be taken for growth.
BATCH = 100
GROWN_BYTES = 5 * MEBIBYTE
KINDS = {
    "adds": ("def f(x):\n    return x + 1\n", Status.FINISHED),
    "raises": ("def f(x):\n    raise ValueError(x)\n", Status.FINISHED),
    "leaves": ("import os\ndef f(x):\n    os._exit(0)\n", Status.EXITED),
    "crashes": ("import ctypes\ndef f(x):\n    ctypes.string_at(0)\n", Status.CRASHED),
    "prints": ("def f(x):\n    print('x' * 10_000)\n    return x + 1\n", Status.FINISHED),
}
WEIGHTS = (80, 5, 5, 5, 5)


def test_ten_thousand_jobs_are_answered_and_leave_nothing(tmp_path, record_property):
    chosen = random.Random(1).choices(list(KINDS), WEIGHTS, k=JOBS)
    with open_arena(tmp_path) as arena:
        run_all(arena.client, chosen[:200])
        before, sizes = at_rest(arena), runner_sizes(arena)

        wrong = run_all(arena.client, chosen)

        after, grown = at_rest(arena), [now - then for now, then in zip(runner_sizes(arena), sizes, strict=True)]
        record_property(
            "figures", f"{JOBS} jobs: {len(wrong)} wrong; this process and the runner grew by {grown} bytes"
        )
    assert wrong == []
    assert after == before
    assert max(grown) < GROWN_BYTES


def at_rest(arena):
    """What is counted. The template is replaced on purpose after some thousands of forks: another, but alike."""
    arena.wait_for_rest(60)
    found = traces(arena)
    names = tuple(name.partition("[")[0] for name in found.warm.descriptors)
    return replace(found, warm=replace(found.warm, pid=0, started=0, descriptors=names))


def runner_sizes(arena):
    return resident_bytes(), resident_bytes(arena.pid)


def run_all(client, kinds):
    """Those jobs that did not end as they should, with their numbers."""
    wrong = []
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for first in range(0, len(kinds), BATCH):
            jobs = enumerate(kinds[first : first + BATCH], first)
            wrong += [said for said in threads.map(lambda job: run_one(client, *job), jobs) if said]
    return wrong


def run_one(client, number, kind):
    source, status = KINDS[kind]
    program = CallProgram(source=source, entry="f", calls=(Call(name="only", visible=True, args=(number,)),))
    report = client.run(Job(id=uuid.uuid4().hex, program=program, limits=Limits()))
    if report.status is not status:
        return (number, kind, report.status, report.detail)
    if kind in ("adds", "prints") and [result.value for result in report.results] != [number + 1]:
        return (number, kind, report.results)
    return None
