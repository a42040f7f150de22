from types import SimpleNamespace

import pytest

from tests.worker.sandbox.runs import IDENTITY, InBackground, call_job, script_job
from worker.sandbox.job import MEBIBYTE, Limits, Status
from worker.sandbox.running import Order, Running

pytestmark = pytest.mark.sandbox


def test_cpu_loop_ends_at_the_cpu_limit(runner):
    report = runner.run(call_job("def f(x):\n    while True: pass\n", cpu_seconds=0.5))

    assert report.status == Status.TIMED_OUT
    assert "0.5 s of CPU" in report.detail
    assert report.cpu_seconds >= 0.5


def test_call_that_keeps_the_interpreter_lock_ends_at_the_cpu_limit(runner):
    report = runner.run(call_job("def f(x):\n    return (7 ** (10 ** 8)) % 3\n", cpu_seconds=0.5))

    assert report.status == Status.TIMED_OUT


def test_cpu_time_is_summed_over_threads(runner):
    source = """
        import threading
        import torch
        def burn():
            a = torch.ones(200, 200)
            while True: a @ a
        def f(x):
            for _ in range(4): threading.Thread(target=burn, daemon=True).start()
            burn()
    """
    report = runner.run(call_job(source, cpu_seconds=1.0))

    assert report.status == Status.TIMED_OUT
    assert report.cpu_seconds >= 1.0
    assert report.peak_tasks >= 5


def test_sleeping_ends_at_the_idle_limit(runner):
    report = runner.run(call_job("import time\ndef f(x):\n    time.sleep(60)\n", idle_seconds=0.5))

    assert report.status == Status.TIMED_OUT
    assert "without computing" in report.detail


def test_slow_work_ends_at_the_wall_limit(runner):
    source = """
        import time
        def f(x):
            while True:
                time.sleep(0.1)
                sum(range(200_000))
    """
    report = runner.run(call_job(source, cpu_seconds=0.5, idle_seconds=60.0))

    assert report.status == Status.TIMED_OUT


def test_touched_memory_over_the_limit_is_named(runner):
    source = """
        import torch
        def f(x):
            kept = []
            while True: kept.append(torch.ones(1 << 20))
    """
    report = runner.run(call_job(source, memory_bytes=100 * MEBIBYTE))

    assert report.status == Status.OUT_OF_MEMORY
    assert "100 MB" in report.detail
    assert "memory kills 1" in report.evidence


def test_memory_near_the_limit_passes_each_time(runner):
    source = """
        import torch
        def f(x):
            kept = torch.ones(80 << 18)
            return float(kept[0])
    """
    job = call_job(source, memory_bytes=100 * MEBIBYTE)

    reports = [runner.run(job) for _ in range(20)]

    assert [report.status for report in reports] == [Status.FINISHED] * 20


def test_printed_flood_ends_the_run_and_keeps_the_beginning(runner):
    report = runner.run(call_job("def f(x):\n    while True: print('flood')\n", kept_bytes=1000))

    assert report.status == Status.OUTPUT_TOO_LARGE
    assert report.stdout_truncated
    assert report.stdout.startswith("flood\nflood\n")
    assert len(report.stdout.encode()) <= 1000


def test_flood_on_standard_error_ends_the_run_too(runner):
    source = "import sys\ndef f(x):\n    while True: sys.stderr.write('flood')\n"

    assert runner.run(call_job(source)).status == Status.OUTPUT_TOO_LARGE


@pytest.mark.parametrize("statement", ["print()", "print('a', flush=True)", "print('a', file=sys.stderr)"])
def test_flood_in_small_pieces_meets_the_limit_on_output_and_not_on_time(runner, statement):
    report = runner.run(call_job(f"import sys\ndef f(x):\n    while True: {statement}\n", kept_bytes=1000))

    assert report.status == Status.OUTPUT_TOO_LARGE
    assert report.stdout_truncated


@pytest.mark.parametrize("end", ["os._exit(1)", "ctypes.string_at(8)"])
def test_what_is_printed_before_a_sudden_end_is_kept(runner, end):
    source = f"import ctypes, os, sys\ndef f(x):\n    print('out')\n    print('err', file=sys.stderr)\n    {end}\n"
    report = runner.run(call_job(source))

    assert (report.stdout, report.stderr) == ("out\n", "err\n")


def test_all_that_is_printed_in_a_finished_run_is_counted(runner):
    source = "def f(x):\n    print('a' * 100_000)\n    print('b' * 50, end='')\n    return 1\n"
    kept = runner.run(call_job(source, kept_bytes=200_000)).stdout

    assert kept == "a" * 100_000 + "\n" + "b" * 50


def test_giant_result_is_not_taken(runner):
    report = runner.run(call_job("import torch\ndef f(x):\n    return torch.ones(1 << 20)\n", result_bytes=MEBIBYTE))

    assert report.status in {Status.OUTPUT_TOO_LARGE, Status.FINISHED}
    assert all(result.error or not hasattr(result.value, "data") for result in report.results)


def test_bytes_without_end_on_the_result_pipe_are_not_taken(runner):
    source = """
        import os, struct
        def f(x):
            header = b'{"kind":"result","index":0,"seconds":0.1}'
            os.write(4, struct.pack('>I', len(header)) + header + struct.pack('>Q', 1 << 35))
            while True: os.write(4, bytes(1 << 16))
    """
    report = runner.run(call_job(source))

    assert report.status == Status.OUTPUT_TOO_LARGE
    assert "16 MB" in report.detail


def test_thread_bomb_of_the_operators_is_named(runner):
    source = """
        import torch
        def f(x):
            torch.set_num_threads(4000)
            a = torch.ones(4000, 4000)
            return float((a + a).sum())
    """
    report = runner.run(call_job(source))

    assert report.status == Status.TASK_LIMIT
    assert "64 threads" in report.detail


def test_python_threads_over_the_limit_are_an_error_of_the_call(runner):
    source = """
        import threading, time
        def f(x):
            for _ in range(200): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    """
    report = runner.run(call_job(source))

    assert report.status == Status.FINISHED
    assert "thread" in report.results[0].error.message
    assert report.peak_tasks <= 64


def test_full_scratch_is_an_error_that_the_student_can_catch(runner):
    source = """
        def f(x):
            try:
                with open('/tmp/large', 'wb') as file:
                    for _ in range(100): file.write(bytes(1 << 20))
            except OSError as error:
                return error.errno
    """
    report = runner.run(call_job(source))

    assert report.status == Status.FINISHED
    assert report.results[0].value in {27, 28}


def test_files_without_end_stop_at_the_inode_limit(runner):
    source = """
        def f(x):
            for number in range(100_000):
                try:
                    open(f'/tmp/{number}', 'w').close()
                except OSError:
                    return number
    """
    report = runner.run(call_job(source))

    assert report.results[0].value < 4096


def test_neighbour_of_a_hog_gets_its_usual_verdict(runner):
    hog = InBackground(runner.run, call_job("def f(x):\n    while True: pass\n", cpu_seconds=1.0))

    report = runner.run(IDENTITY)

    assert report.status == Status.FINISHED
    assert hog.answer().status == Status.TIMED_OUT


def test_more_jobs_than_slots_all_end(runner):
    jobs = [InBackground(runner.run, IDENTITY) for _ in range(12)]

    assert [job.answer().status for job in jobs] == [Status.FINISHED] * 12


def test_job_after_a_killed_one_is_served_at_once(runner):
    runner.run(call_job("def f(x):\n    while True: pass\n", cpu_seconds=0.2))

    assert runner.run(IDENTITY).status == Status.FINISHED


def test_script_is_limited_as_calls_are(runner):
    assert runner.run(script_job("while True: pass", cpu_seconds=0.3)).status == Status.TIMED_OUT


@pytest.mark.parametrize(
    ("wall_seconds", "waited_seconds", "is_over"),
    [(14, 0, False), (15, 0, True), (15, 2, False), (139, 138, False), (141, 140, True)],
)
def test_wall_limit_does_not_count_time_without_a_core(wall_seconds, waited_seconds, is_over):
    meter = SimpleNamespace(waited_seconds=lambda: waited_seconds)
    container = SimpleNamespace(meter=meter, pipes=SimpleNamespace(output=1, errors=2))
    order = Order(id="test", lane="run", limits=Limits(cpu_seconds=4.0), frames=(), hidden_from=0)
    running = Running(order, container, selector=None, relay=None, finished=None)

    assert running._is_over_limit(wall_seconds, order.limits.wall_seconds) is is_over
