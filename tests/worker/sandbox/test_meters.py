import os
import subprocess
import sys

import pytest

from worker.sandbox.cgroups import BASE_MEMORY_BYTES, Usage
from worker.sandbox.job import Limits
from worker.sandbox.meters import ProcessMeter, waited_seconds

TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


def show(proc, *, cpu_seconds, memory_bytes, tasks=1):
    """What `/proc/<pid>/stat` would say."""
    (proc / "7").mkdir(exist_ok=True)
    fields = ["0"] * 50
    fields[11], fields[12] = str(int(cpu_seconds * TICKS)), "0"
    fields[17], fields[21] = str(tasks), str(memory_bytes // PAGE)
    # A run gives itself a name that is no text, too.
    (proc / "7" / "stat").write_bytes(b"7 (a (run\xff) x) " + " ".join(fields).encode())


def started(proc, limits, monkeypatch):
    monkeypatch.setattr("resource.prlimit", lambda *_: (0, 0))
    show(proc, cpu_seconds=1, memory_bytes=100 * PAGE)
    meter = ProcessMeter(7, proc=proc)
    meter.begin(limits)
    return meter


def test_use_is_counted_from_the_beginning(tmp_path, monkeypatch):
    meter = started(tmp_path, Limits(), monkeypatch)

    show(tmp_path, cpu_seconds=3, memory_bytes=150 * PAGE, tasks=4)

    assert meter.look() == ""
    assert meter.cpu_seconds() == 2
    assert meter.usage() == Usage(cpu_seconds=2.0, peak_memory_bytes=50 * PAGE, peak_tasks=4)


def test_memory_over_the_limit_is_found_and_counts_as_a_kill(tmp_path, monkeypatch):
    meter = started(tmp_path, Limits(memory_bytes=PAGE), monkeypatch)

    show(tmp_path, cpu_seconds=1, memory_bytes=BASE_MEMORY_BYTES + 200 * PAGE)

    assert meter.look() == "memory"
    assert meter.usage().needed_too_much


def test_page_tables_are_memory_too(tmp_path, monkeypatch):
    meter = started(tmp_path, Limits(memory_bytes=PAGE), monkeypatch)
    status, kilobytes = tmp_path / "7" / "status", BASE_MEMORY_BYTES // 1024

    status.write_bytes(b"Name:\t\xff\nVmPTE:\t  %d kB\nVmSwap:\t 0 kB\n" % (kilobytes // 2))
    assert meter.look() == ""

    status.write_bytes(b"Name:\t\xff\nVmPTE:\t  %d kB\nVmSwap:\t 0 kB\n" % (kilobytes + 64))
    assert meter.look() == "memory"
    assert meter.usage().needed_too_much


def test_tasks_at_the_limit_count_as_refused_and_over_it_are_found(tmp_path, monkeypatch):
    meter = started(tmp_path, Limits(tasks=8), monkeypatch)

    show(tmp_path, cpu_seconds=1, memory_bytes=100 * PAGE, tasks=8)
    assert meter.look() == ""
    assert meter.usage().refused_tasks == 1

    show(tmp_path, cpu_seconds=1, memory_bytes=100 * PAGE, tasks=9)
    assert meter.look() == "tasks"


def test_last_word_on_cpu_time_is_that_of_the_wait(tmp_path, monkeypatch):
    meter = started(tmp_path, Limits(), monkeypatch)

    (tmp_path / "7/stat").unlink()
    meter.ended(cpu_seconds=6.0, was_killed=False)

    assert meter.usage().cpu_seconds == 5.0


@pytest.mark.parametrize(
    ("kills", "was_killed", "expected"), [(3, True, True), (2, True, False), (3, False, False), (None, True, False)]
)
def test_process_killed_as_the_kernel_killed_for_memory_was_sacrificed(
    tmp_path, monkeypatch, kills, was_killed, expected
):
    counts = tmp_path / "vmstat"
    counts.write_text("pgfault 7\noom_kill 2\n")
    meter = started(tmp_path, Limits(), monkeypatch)
    if kills is None:
        counts.unlink()
    else:
        counts.write_text(f"pgfault 9\noom_kill {kills}\n")

    meter.ended(cpu_seconds=1.0, was_killed=was_killed)

    assert meter.usage().was_sacrificed == expected


def test_process_that_is_gone_at_the_beginning_counts_nothing(tmp_path):
    meter = ProcessMeter(999_999_999, proc=tmp_path)

    meter.begin(Limits())

    assert meter.look() == ""
    assert meter.usage() == Usage()


def test_limits_are_set_on_the_process_from_outside():
    script = "import resource; input(); print(resource.getrlimit(resource.RLIMIT_CPU), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=-1, stdout=-1, text=True) as process:
        ProcessMeter(process.pid, is_contained=False).begin(Limits(cpu_seconds=4))
        process.stdin.write("\n")
        process.stdin.flush()
        said = process.stdout.readline()
        process.stdin.write("\n")
        process.stdin.flush()

    assert said == "(6, 7)\n"


def test_thread_that_waited_longest_for_a_core_counts(tmp_path, monkeypatch):
    meter = started(tmp_path, Limits(), monkeypatch)
    for number, nanoseconds in (("7", 500_000_000), ("8", 2_000_000_000)):
        (tmp_path / "7" / "task" / number).mkdir(parents=True)
        (tmp_path / "7" / "task" / number / "schedstat").write_text(f"900 {nanoseconds} 3\n")

    assert meter.waited_seconds() == 2.0


def test_process_that_is_gone_waited_for_nothing(tmp_path):
    assert waited_seconds(7, proc=tmp_path) == 0.0
