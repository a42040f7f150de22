"""Why a run ended: from the signs that were seen to one status, in the order of docs/sandbox.md."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from enum import StrEnum

from worker.sandbox.cgroups import Usage
from worker.sandbox.job import MEBIBYTE, Limits, Status


class Sign(StrEnum):
    """What made the runner end a run, or notice its end."""

    COMPLETE = "complete"
    DIED = "died"
    CPU = "cpu"
    WALL = "wall"
    IDLE = "idle"
    MEMORY = "memory"
    TASKS = "tasks"
    PRINTED = "printed"
    RESULTS = "results"
    GARBLED = "garbled"


# What is behind a signal more often than anything else.
_OFTEN: dict[int, str] = {signal.SIGSEGV: " A recursion or a chain of objects that is too deep often does that."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """All that is known of an end. `wait_status` is None where the run was not yet dead when it was judged."""

    sign: Sign
    usage: Usage
    limits: Limits
    wait_status: int | None = None
    wire_error: str = ""

    @property
    def signal_number(self) -> int:
        """The signal that killed the run, or 0."""
        return os.WTERMSIG(self.wait_status) if self.wait_status is not None and os.WIFSIGNALED(self.wait_status) else 0

    @property
    def exit_code(self) -> int | None:
        """The code it exited with, if it did."""
        exited = self.wait_status is not None and os.WIFEXITED(self.wait_status)
        return os.WEXITSTATUS(self.wait_status or 0) if exited else None

    @property
    def evidence(self) -> str:
        """For staff: every sign and counter."""
        used = self.usage
        return (
            f"sign {self.sign}; wait status {self.wait_status}; memory kills {used.memory_kills}; met limit "
            f"{used.met_limit}; refused tasks {used.refused_tasks}; peak memory {used.peak_memory_bytes}; peak tasks "
            f"{used.peak_tasks}; CPU {used.cpu_seconds:.3f} s"
            + (f"; wire: {self.wire_error}" if self.wire_error else "")
        )


def judge(ending: Ending) -> tuple[Status, str]:
    """Status and what to tell the student: memory, time, output, tasks, filter, death, wire, in this order."""
    for rule in (_of_memory, _of_time, _of_output, _of_tasks, _of_death, _of_wire):
        if (found := rule(ending)) is not None:
            return found
    return Status.FINISHED, ""


def _of_memory(ending: Ending) -> tuple[Status, str] | None:
    if not ending.usage.needed_too_much and ending.sign != Sign.MEMORY:
        return None
    return Status.OUT_OF_MEMORY, f"The run needed more than its {ending.limits.memory_bytes // MEBIBYTE} MB of memory."


def _of_time(ending: Ending) -> tuple[Status, str] | None:
    limits = ending.limits
    if ending.sign == Sign.IDLE:
        return Status.TIMED_OUT, f"The run waited for {limits.idle_seconds:g} s without computing anything."
    if ending.sign == Sign.WALL:
        return Status.TIMED_OUT, f"The run took longer than {limits.wall_seconds:g} s."
    if ending.sign == Sign.CPU or ending.usage.cpu_seconds > limits.cpu_seconds:
        return Status.TIMED_OUT, f"The run used more than its {limits.cpu_seconds:g} s of CPU time."
    return None


def _of_output(ending: Ending) -> tuple[Status, str] | None:
    if ending.sign == Sign.PRINTED:
        return Status.OUTPUT_TOO_LARGE, f"The run printed more than {_size(ending.limits.printed_bytes)}."
    if ending.sign == Sign.RESULTS:
        return Status.OUTPUT_TOO_LARGE, f"The run returned more than {_size(ending.limits.result_bytes)}."
    return None


def _size(size_bytes: int) -> str:
    return f"{size_bytes / MEBIBYTE:g} MB" if size_bytes >= MEBIBYTE else f"{size_bytes} bytes"


def _of_tasks(ending: Ending) -> tuple[Status, str] | None:
    ended_badly = ending.sign != Sign.COMPLETE and (ending.signal_number or ending.exit_code)
    if ending.sign != Sign.TASKS and not (ending.usage.refused_tasks and ended_badly):
        return None
    return Status.TASK_LIMIT, f"The run tried to have more than {ending.limits.tasks} threads at once."


def _of_death(ending: Ending) -> tuple[Status, str] | None:
    number = ending.signal_number
    if number == signal.SIGSYS:
        return Status.FILTER_KILLED, "The run made a system call that no submission needs."
    if number:
        return Status.CRASHED, f"The run crashed ({_signal_name(number)}).{_OFTEN.get(number, '')}"
    if ending.sign == Sign.DIED and not ending.wire_error:
        return Status.EXITED, "The run ended by itself before it gave its result."
    return None


def _signal_name(number: int) -> str:
    known = {signal_.value: signal_.name for signal_ in signal.Signals}
    return known.get(number, f"signal {number}")


def _of_wire(ending: Ending) -> tuple[Status, str] | None:
    if ending.sign == Sign.GARBLED or ending.wire_error:
        return Status.GARBLED, "What the run sent as its result is not a result."
    return None
