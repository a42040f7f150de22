import signal

import pytest

from worker.sandbox.cgroups import Usage
from worker.sandbox.ending import Ending, Sign, judge
from worker.sandbox.job import Limits, Status

EXITED_WITH_1 = 1 << 8


def ending(sign, *, wait_status=None, wire_error="", **usage):
    return Ending(
        sign=sign,
        usage=Usage(**usage),
        limits=Limits(printed_bytes=500),
        wait_status=wait_status,
        wire_error=wire_error,
    )


@pytest.mark.parametrize(
    ("seen", "status", "words"),
    [
        (ending(Sign.COMPLETE), Status.FINISHED, ""),
        (ending(Sign.COMPLETE, refused_tasks=3), Status.FINISHED, ""),
        (ending(Sign.COMPLETE, cpu_seconds=4.1), Status.TIMED_OUT, "4 s of CPU"),
        (ending(Sign.MEMORY), Status.OUT_OF_MEMORY, "512 MB"),
        (ending(Sign.DIED, wait_status=9, memory_kills=1, met_limit=True), Status.OUT_OF_MEMORY, "512 MB"),
        (ending(Sign.CPU, memory_kills=1, met_limit=True), Status.OUT_OF_MEMORY, "512 MB"),
        (ending(Sign.CPU, memory_kills=1), Status.TIMED_OUT, "4 s of CPU"),
        (ending(Sign.COMPLETE, memory_kills=1), Status.FINISHED, ""),
        (ending(Sign.CPU), Status.TIMED_OUT, "4 s of CPU"),
        (ending(Sign.WALL), Status.TIMED_OUT, "14 s"),
        (ending(Sign.IDLE), Status.TIMED_OUT, "10 s without"),
        (ending(Sign.PRINTED), Status.OUTPUT_TOO_LARGE, "500 bytes"),
        (ending(Sign.RESULTS), Status.OUTPUT_TOO_LARGE, "16 MB"),
        (ending(Sign.TASKS), Status.TASK_LIMIT, "64 threads"),
        (ending(Sign.DIED, wait_status=signal.SIGSEGV, refused_tasks=1), Status.TASK_LIMIT, "64 threads"),
        (ending(Sign.DIED, wait_status=EXITED_WITH_1, refused_tasks=1), Status.TASK_LIMIT, "64 threads"),
        (ending(Sign.DIED, wait_status=signal.SIGSYS, refused_tasks=1), Status.TASK_LIMIT, "64 threads"),
        (ending(Sign.DIED, wait_status=0, refused_tasks=1), Status.EXITED, "by itself"),
        (ending(Sign.DIED, wait_status=signal.SIGSYS), Status.FILTER_KILLED, "system call"),
        (ending(Sign.DIED, wait_status=signal.SIGSEGV), Status.CRASHED, "SIGSEGV"),
        (ending(Sign.DIED, wait_status=signal.SIGSEGV), Status.CRASHED, "recursion"),
        (ending(Sign.DIED, wait_status=signal.SIGABRT), Status.CRASHED, "(SIGABRT)."),
        (ending(Sign.DIED, wait_status=40), Status.CRASHED, "signal 40"),
        (ending(Sign.DIED, wait_status=signal.SIGSEGV, wire_error="half"), Status.CRASHED, "SIGSEGV"),
        (ending(Sign.DIED, wait_status=EXITED_WITH_1), Status.EXITED, "by itself"),
        (ending(Sign.DIED, wait_status=EXITED_WITH_1, wire_error="half"), Status.GARBLED, "not a result"),
        (ending(Sign.DIED, wait_status=0), Status.EXITED, "by itself"),
        (ending(Sign.DIED, wait_status=0, wire_error="half"), Status.GARBLED, "not a result"),
        (ending(Sign.GARBLED, wire_error="twice"), Status.GARBLED, "not a result"),
    ],
)
def test_signs_become_one_status_in_order(seen, status, words):
    found, detail = judge(seen)

    assert found == status
    assert words in detail


def test_evidence_names_every_counter():
    seen = ending(Sign.GARBLED, wire_error="twice", memory_kills=0, refused_tasks=2, peak_tasks=7)

    assert "refused tasks 2" in seen.evidence
    assert "peak tasks 7" in seen.evidence
    assert seen.evidence.endswith("wire: twice")
