"""The runner killed in the middle of its work: whoever waits is told, nothing survives, the next one serves soon."""

import time

import pytest

from tests.corpus.arena import open_arena
from tests.worker.sandbox.runs import IDENTITY, InBackground, call_job, descendants, is_alive, mount_count, wait_until
from worker.sandbox.job import RunnerUnavailableError, Status

pytestmark = [pytest.mark.verify, pytest.mark.sandbox]

JOBS = 8
SERVES_SECONDS = 5.0
LOOP = call_job("def f(x):\n    while True: pass\n", cpu_seconds=60.0)


def test_killed_runner_is_a_fault_leaves_nothing_and_is_soon_replaced(tmp_path, record_property):
    mounts = mount_count()
    with open_arena(tmp_path, slots=JOBS) as arena:
        jobs = [InBackground(arena.client.run, LOOP) for _ in range(JOBS)]
        wait_until(lambda: arena.client.status()["running"] == JOBS, seconds=60)
        family = descendants(arena.pid)

        arena.process.kill()
        killed = time.perf_counter()

        for job in jobs:
            with pytest.raises(RunnerUnavailableError):
                job.answer()
        wait_until(lambda: not any(is_alive(pid) for pid in family))
        gone = time.perf_counter() - killed
        wait_until(lambda: not any(folder.exists() for folder in arena.groups), seconds=60)
    assert mount_count() == mounts

    started = time.perf_counter()
    with open_arena(tmp_path, waits_for_rest=False) as arena:
        assert arena.client.run(IDENTITY).status is Status.FINISHED
        served = time.perf_counter() - started
    gone_words = f"{len(family)} processes gone after {gone:.2f} s"
    record_property("figures", f"{JOBS} jobs told of the fault; {gone_words}; a new runner served after {served:.2f} s")
    assert served < SERVES_SECONDS
