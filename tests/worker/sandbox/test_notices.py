"""What Python prints by itself names the student's lines, and nothing of the service."""

import sys
import textwrap
import traceback

import pytest

from tests.worker.sandbox.runs import call_job
from worker.sandbox import notices
from worker.sandbox.launch import PROJECT


def printed(runner, source):
    report = runner.run(call_job(textwrap.dedent(source)))
    assert str(PROJECT) not in report.stdout + report.stderr
    assert "worker/sandbox" not in report.stdout + report.stderr
    return report.stdout + report.stderr


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("import warnings\ndef f(x):\n    warnings.warn('mind')\n", "solution.py:3: UserWarning: mind\n"),
        ("async def g(): pass\ndef f(x):\n    return g()\n", "RuntimeWarning: coroutine 'g' was never awaited\n"),
        (
            "class A:\n    def __del__(self): raise KeyError(1)\ndef f(x):\n    A()\n    return x\n",
            'Exception ignored:\nTraceback (most recent call last):\n  File "solution.py", line 2, in __del__\n',
        ),
        (
            "import threading\ndef g(): 1 / 0\ndef f(x):\n    t = threading.Thread(target=g, name='T')\n"
            "    t.start()\n    t.join()\n    return x\n",
            'Exception in T:\nTraceback (most recent call last):\n  File "solution.py", line 2, in g\n',
        ),
        (
            "import traceback\ndef f(x):\n    traceback.print_stack()\n    return x\n",
            'File "solution.py", line 3, in f\n',
        ),
        ("import os\ndef f(x):\n    print(os.__file__)\n    return x\n", "/os.py\n"),
    ],
)
def test_notice_names_the_students_lines_alone(runner, source, told):
    assert told in printed(runner, source)


def test_warning_of_a_library_is_told_without_its_place():
    told = notices.format_warning(UserWarning("mind"), UserWarning, "/somewhere/torch/nn/functional.py", 3)

    assert told == "UserWarning: mind\n"


def test_stack_is_walked_from_the_caller_on():
    frames = [frame for frame, _ in notices.walk_stack(None)]

    assert frames[0] is sys._getframe()
    assert frames == [frame for frame, _ in traceback.walk_stack(sys._getframe())]


def test_thread_that_ends_itself_is_not_told(capsys):
    class Told:
        exc_type, exc_value, thread = SystemExit, SystemExit(), None

    notices._tell_thread(Told)

    assert capsys.readouterr().err == ""


def test_nothing_is_told_without_an_exception(capsys):
    class Told:
        exc_value = None

    notices._tell_unraisable(Told)

    assert capsys.readouterr().err == ""


def test_stack_is_walked_from_a_given_frame_without_those_of_the_service():
    def ours():
        return [frame for frame, _ in notices.walk_stack(sys._getframe())]

    code = ours.__code__.replace(co_filename=f"{notices._OURS}/sandbox/some.py")
    ours.__code__ = code

    assert ours()[0] is sys._getframe()


def test_what_nobody_catches_is_told_with_its_head(capsys):
    class Thread:
        name = "T"

    class Told:
        exc_type, exc_value, thread = KeyError, KeyError(1), Thread

    notices._tell_unraisable(Told)
    notices._tell_thread(Told)
    Told.thread = None
    notices._tell_thread(Told)

    told = capsys.readouterr().err
    assert [line for line in told.splitlines() if line.endswith(":")] == [
        "Exception ignored:",
        "Exception in T:",
        "Exception in a thread:",
    ]
    assert "KeyError: 1" in told
