"""How runs end, honest and not: each gets its status, and the next run is served."""

import random
import struct

import pytest

from tests.worker.sandbox.runs import IDENTITY, VECTOR, call_job, returned, script_job
from worker.sandbox.job import CasesProgram, Job, Status, TensorBytes

pytestmark = pytest.mark.sandbox

RESULT = '{"kind":"result","index":0,"seconds":0.1}'
FRAME = """
    import os, struct
    def send(header, body=b''):
        header = header.encode() if isinstance(header, str) else header
        os.write(4, struct.pack('>I', len(header)) + header + struct.pack('>Q', len(body)) + body)
"""


def hostile(body, **limits):
    """A job whose function writes to the result pipe itself."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return call_job(f"{FRAME}\n    def f(x):\n{lines}\n", **limits)


def test_value_comes_back(runner):
    report = runner.run(IDENTITY)

    assert report.status == Status.FINISHED
    assert returned(report) == VECTOR
    assert report.torch_version
    assert report.cpu_capability
    assert report.peak_memory_bytes > 0
    assert report.wall_seconds > 0


def test_results_stream_in_order(runner):
    seen = []

    report = runner.run(call_job("def f(x):\n    return 1\n", visible=2, hidden=2), seen.append)

    assert [result.index for result in seen] == [0, 1, 2, 3]
    assert report.results == tuple(seen)


def test_exception_is_a_result_and_the_run_goes_on(runner):
    report = runner.run(call_job("def f(x):\n    raise ValueError('no')\n", visible=2))

    assert report.status == Status.FINISHED
    assert [result.error.type for result in report.results] == ["ValueError", "ValueError"]


def test_source_that_does_not_compile_is_a_load_error(runner):
    report = runner.run(call_job("def f(x:\n"))

    assert report.status == Status.FINISHED
    assert report.load_error.type == "SyntaxError"
    assert report.results == ()


def test_script_gives_its_variables(runner):
    report = runner.run(script_job("a = 1 + 1\nprint('hello')\n", collect=("a",)))

    assert report.status == Status.FINISHED
    assert report.stdout == "hello\n"
    assert report.results[0].value == {"a": 2}


def test_cases_program_gives_visible_and_draws(runner):
    source = "def visible():\n    return [{'name': 'a', 'args': [1]}]\ndef hidden(generator):\n    return []\n"

    report = runner.run(Job(id="cases", program=CasesProgram(source=source, seeds=(1, 2))))

    assert report.status == Status.FINISHED, report
    assert [result.index for result in report.results] == [0, 1, 2]


@pytest.mark.parametrize("code", [0, 3])
def test_exit_without_a_result_is_no_result(runner, code):
    report = runner.run(hostile(f"os._exit({code})"))

    assert report.status == Status.EXITED
    assert report.results == ()


def test_crash_names_the_signal(runner):
    report = runner.run(call_job("import ctypes\ndef f(x):\n    ctypes.string_at(8)\n"))

    assert report.status == Status.CRASHED
    assert "SIGSEGV" in report.detail


def test_call_of_the_never_legitimate_set_is_named(runner):
    report = runner.run(call_job("import ctypes\ndef f(x):\n    ctypes.CDLL(None).unshare(0x10000000)\n"))

    assert report.status == Status.FILTER_KILLED


@pytest.mark.parametrize(
    "body",
    [
        "os.write(4, struct.pack('>I', 400) + b'half'); os._exit(0)",
        "os.write(4, struct.pack('>I', 1 << 31) + bytes(100))",
        f"os.write(4, struct.pack('>I', {len(RESULT)}) + b'{RESULT}' + struct.pack('>Q', 1 << 63))",
        "send('{}')",
        "send('[1]')",
        "send('not json at all')",
        "send(b'\\xff\\xfe')",
        'send(\'{"kind": "loaded"}\')',
        'send(\'{"kind": "ended"}\')',
        'send(\'{"kind": "report", "status": "finished"}\')',
        'send(\'{"kind": "inspection"}\')',
        'send(\'{"kind": "result", "index": 1, "seconds": 0}\')',
        'send(\'{"kind": "result", "index": true, "seconds": 0}\')',
        'send(\'{"kind": "result", "index": 0, "seconds": 0}\', b\'garbage\')',
        'send(\'{"kind": "result", "index": 0, "seconds": 0}\', b\'garbage\'); os._exit(0)',
        'send(\'{"kind": "result", "index": 0, "seconds": 0}\', b\'garbage\'); os._exit(1)',
        "os.write(4, os.urandom(1 << 20))",
        "os.dup2(1, 4); print('text')",
        "os.close(4); import time; time.sleep(60)",
        "import pickle; os.write(4, pickle.dumps({'a': 1}))",
    ],
)
def test_what_is_no_result_is_garbled(runner, body):
    report = runner.run(hostile(body))

    assert report.status == Status.GARBLED
    assert "not a result" in report.detail


def test_two_answers_to_one_call_are_garbled(runner):
    body = f'send(\'{RESULT[:-1]}, "error": {{"type": "A", "message": "", "traceback": "", "line": null}}}}\')'

    report = runner.run(hostile(body))

    assert report.status == Status.GARBLED


def test_script_gives_one_result_and_no_flood_of_them(runner):
    flood = f"""{FRAME}
    body = struct.pack('>I', 4) + b'null'
    for index in range(1000):
        send('{{"kind": "result", "index": %d, "seconds": 0}}' % index, body)
"""

    report = runner.run(script_job(flood))

    assert report.status == Status.GARBLED
    assert len(report.results) <= 1


def test_random_bytes_never_break_the_runner(runner):
    for seed in range(20):
        data = random.Random(seed).randbytes(200)
        assert runner.run(hostile(f"os.write(4, {data!r}); os._exit(0)")).status == Status.GARBLED
    assert runner.run(IDENTITY).status == Status.FINISHED


def test_dripping_bytes_end_at_the_total_deadline(runner):
    body = "import time\nwhile True:\n    os.write(4, b'\\0')\n    time.sleep(0.05)"

    report = runner.run(hostile(body, idle_seconds=0.5))

    assert report.status in {Status.TIMED_OUT, Status.GARBLED}


def test_complete_results_count_though_the_process_never_ends(runner):
    source = """
        import atexit, threading
        def burn():
            while True: pass
        atexit.register(burn)
        def f(x):
            threading.Thread(target=burn).start()
            return 1
    """
    report = runner.run(call_job(source))

    assert report.status == Status.FINISHED
    assert returned(report) == 1


def test_closed_command_pipe_ends_as_a_run_without_result(runner):
    report = runner.run(call_job("import os\ndef f(x):\n    os.close(3)\n    return 1\n", visible=3))

    assert report.status in {Status.EXITED, Status.GARBLED}
    assert len(report.results) == 1


def test_large_inputs_and_results_pass(runner):
    numbers = TensorBytes(dtype="float32", shape=(1 << 20,), data=struct.pack("<f", 1.5) * (1 << 20))

    report = runner.run(call_job("def f(x):\n    return x * 2\n", args=(numbers,)))

    assert report.status == Status.FINISHED
    assert returned(report).data == struct.pack("<f", 3.0) * (1 << 20)


def test_printed_text_is_clean_and_whole(runner):
    text = "Größe — 数 🙂\n"

    report = runner.run(
        call_job(f"import sys\ndef f(x):\n    print({text!r}, end='')\n    sys.stderr.write('bar\\x1b[0m')\n")
    )

    assert report.stdout == text
    assert report.stderr == "bar"
    assert not report.stdout_truncated


def test_what_is_printed_for_hidden_calls_is_not_kept(runner):
    source = "import sys\ndef f(x):\n    print('secret', x)\n    print('secret', file=sys.stderr)\n"

    report = runner.run(call_job(source, visible=1, hidden=2))

    assert report.stdout.count("secret") == 1
    assert report.stderr.count("secret") == 1


def test_hidden_inputs_are_not_there_while_visible_calls_run(runner):
    source = """
        import os
        def f(x):
            os.set_blocking(3, False)
            try:
                return os.read(3, 100).hex()
            except BlockingIOError:
                return 'nothing there'
            finally:
                os.set_blocking(3, True)
    """
    report = runner.run(call_job(source, visible=1, hidden=1))

    assert report.results[0].value == "nothing there"


def test_seed_decides_what_is_drawn(runner):
    source = "import torch, random\ndef f(x):\n    return [torch.rand(2).tolist(), random.random()]\n"

    first, second, other = (runner.run(call_job(source, seed=seed)) for seed in (1, 1, 2))

    assert returned(first) == returned(second)
    assert returned(first) != returned(other)


def test_state_does_not_pass_from_run_to_run(runner):
    source = """
        import os, torch
        def f(x):
            before = [torch.get_default_dtype() == torch.float32, os.listdir('/tmp'), torch.get_num_threads()]
            torch.set_default_dtype(torch.float64)
            open('/tmp/left', 'w').close()
            return before
    """
    reports = [runner.run(call_job(source)) for _ in range(3)]

    values = [returned(report) for report in reports]
    assert values[0] == values[1] == values[2]
    assert values[0][:2] == [True, []]
    assert values[0][2] in {1, 2}
