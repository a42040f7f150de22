"""What a child says of student code that fails: the student's own lines, clear words, no path of ours."""

import pytest

from tests.worker.sandbox.driving import ROOT, WarmChild
from worker.sandbox import wire
from worker.sandbox.job import Call, TensorBytes, Unsupported


def test_exception_names_the_students_lines_only(child: WarmChild):
    source = """import torch

def inner(x):
    return torch.nn.functional.linear(x, torch.ones(3, 3))

def f(x):
    return inner(torch.ones(x))
"""
    error = child.call(source, 2).error

    assert (error.type, error.line) == ("RuntimeError", 4)
    assert error.traceback == (
        "Traceback (most recent call last):\n"
        '  File "solution.py", line 7, in f\n'
        "    return inner(torch.ones(x))\n"
        '  File "solution.py", line 4, in inner\n'
        "    return torch.nn.functional.linear(x, torch.ones(3, 3))\n"
        f"RuntimeError: {error.message}\n"
    )


def test_one_failing_call_leaves_the_others(child: WarmChild):
    calls = [Call(name=str(number), visible=True, args=(number,)) for number in (1, 0, 2)]

    ran = child.calls("def f(x):\n    return 2 // x\n", *calls)

    assert [result.error.type if result.error else result.value for result in ran.results.values()] == [
        2,
        "ZeroDivisionError",
        1,
    ]


def test_causes_are_shown_before_what_they_caused(child: WarmChild):
    source = """
def f():
    try:
        1 / 0
    except ZeroDivisionError as error:
        raise ValueError("second") from error
"""
    text = child.call(source).error.traceback

    assert (
        text.index("ZeroDivisionError: division by zero")
        < text.index("direct cause")
        < text.index("ValueError: second")
    )


def test_long_chains_are_cut(child: WarmChild):
    source = """
def f(n=6):
    try:
        if n:
            f(n - 1)
        1 / 0
    except Exception:
        raise ValueError(f"number {n}")
"""
    text = child.call(source).error.traceback

    assert [f"number {n}" in text for n in range(7)] == [False, False, False, True, True, True, True]


def test_context_is_shown_unless_suppressed(child: WarmChild):
    source = "def f(quiet):\n    try:\n        1 / 0\n    except ZeroDivisionError:\n        raise {}\n"

    assert "During handling" in child.call(source.format("ValueError"), 1).error.traceback
    assert "Zero" not in child.call(source.format("ValueError from None"), 1).error.traceback


@pytest.mark.parametrize(
    ("body", "type_", "message"),
    [
        ("import sys; sys.exit(0)", "SystemExit", "the code ended itself with exit code 0"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("raise GeneratorExit('x')", "GeneratorExit", "x"),
        ("raise Mute", "Mute", "(the exception has no readable message)"),
        ("raise Hidden('m')", "Hidden", "m"),
        ("raise Endless", "Endless", "(the exception has no readable message)"),
        ("raise ImportError('m', name=5)", "ImportError", "m"),
        ("raise BaseExceptionGroup('many', [KeyboardInterrupt()])", "BaseExceptionGroup", "many (1 sub-exception)"),
        ("f()", "RecursionError", "maximum recursion depth exceeded"),
        ("compile('1 +', 'solution.py', 'exec')", "SyntaxError", "invalid syntax (solution.py, line 1)"),
        ("assert 1 == 2, 'nope'", "AssertionError", "nope"),
        ("raise ValueError(chr(0) + chr(7) + 'x')", "ValueError", "\ufffd\ufffdx"),
    ],
)
def test_exceptions_of_every_kind_become_values(child: WarmChild, body, type_, message):
    source = f"""
class Mute(BaseException):
    def __str__(self): raise SystemExit
class Endless(Exception):
    def __str__(self):
        while True: pass
class Hidden(Exception):
    __traceback__ = property(lambda self: 1 / 0)
    __cause__ = __context__ = 5
def f():
    {body}
"""
    ran = child.call(source)

    assert (ran.error.type, ran.error.message) == (type_, message)
    assert ran.error.line is not None
    assert ran.kinds[-1] == "ended"


def test_text_that_swallows_the_interruption_is_interrupted_again(child: WarmChild):
    source = """
class Stubborn(Exception):
    tries = 0
    def __str__(self):
        while Stubborn.tries < 2:
            try:
                while True: sum(range(9))
            except BaseException:
                Stubborn.tries += 1
        return "late"
def f():
    raise Stubborn
"""
    error = child.call(source).error

    # The interruption may also land outside of the `try`.
    assert error.type == "Stubborn"
    assert error.message in ("late", "(the exception has no readable message)")


def test_timers_of_the_student_survive_a_message(child: WarmChild):
    source = """
import signal
rung = []
signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
def f(first):
    if first:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        raise ValueError
    while not rung: pass
    return rung
"""
    ran = child.calls(source, *(Call(name=str(first), visible=True, args=(first,)) for first in (True, False)))

    assert ran.results[1].value == [1]


def test_class_name_that_raises_is_told_without(child: WarmChild):
    source = """
class Meta(type):
    @property
    def __name__(cls): raise RuntimeError
class Odd(Exception, metaclass=Meta): pass
def f():
    raise Odd("x")
"""
    assert child.call(source).error.type == "Odd"


def test_long_messages_and_deep_tracebacks_are_cut(child: WarmChild):
    long = child.call("def f():\n    raise ValueError('a' * 10**7 + 'end')\n").error
    deep = child.call("def f(n=50):\n    return f(n - 1) if n else 'x'.missing\n").error

    assert len(long.message) <= 1000
    assert long.message.endswith("end")
    assert len(long.traceback) <= 4000
    assert "attribute 'missing'" in deep.traceback
    assert len(deep.traceback) <= 4000


def test_no_path_of_the_service_is_told(child: WarmChild):
    for body in ("from torch import nothing", "import torch; raise OSError(torch.__file__)"):
        error = child.call(f"def f():\n    {body}\n").error
        assert str(ROOT) not in error.message + error.traceback
        assert "site-packages" not in error.message or "…" in error.message


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", "solution.py does not define `f`. Expected: a function or class of this name."),
        ("f = 3\n", "`f` is a value of type `int`. Expected: a function or class of this name."),
        ("async def f(): pass\n", "`f` is asynchronous (`async def`); expected an ordinary function (`def`)."),
        (
            "async def f(): yield 1\n",
            "`f` is an asynchronous generator; expected an ordinary function that returns its result.",
        ),
        ("def f(): yield 1\n", "`f` is a generator function (it uses `yield`); expected one that returns its result."),
    ],
)
def test_entry_that_cannot_be_called_is_a_load_error(child: WarmChild, source, words):
    ran = child.call(source)

    assert ran.kinds == ["load_error"] + (["ended"] if "ended" in ran.kinds else [])
    assert (ran.load_error.type, ran.load_error.message) == ("EntryError", words)


@pytest.mark.parametrize(
    "source", ["def f(): return 1\n", "def f(a, b, c): return 1\n", "f = len\n", "f = lambda *, k: k\n"]
)
def test_wrong_number_of_parameters_says_how_it_is_called(child: WarmChild, source):
    error = child.call(source, 1, 2, key=3).error

    assert error.type == "TypeError"
    assert error.message.endswith("\nExpected: `f` can be called with 2 positional arguments and `key=`.")


def test_type_error_inside_the_function_is_left_alone(child: WarmChild):
    assert "Expected" not in child.call("def f():\n    return 1 + 'a'\n").error.message


@pytest.mark.parametrize(
    ("source", "type_", "line"),
    [
        ("def f(:\n    pass\n", "SyntaxError", 1),
        ("x = 1\n  y = 2\n", "IndentationError", 2),
        ("x = 1\n1 / 0\n", "ZeroDivisionError", 2),
        ("import sys\nsys.exit()\n", "SystemExit", 2),
        ("x = '\ud800'\n", "UnicodeEncodeError", None),
        ("x = 1\x00\n", None, None),
        ("(" * 5000, "SyntaxError", 1),
        ("-" * 200_000 + "1", None, None),
    ],
)
def test_source_that_does_not_load_is_a_load_error(child: WarmChild, source, type_, line):
    ran = child.call(source)

    assert ran.kinds[0] == "load_error"
    assert ran.load_error.type == type_ or type_ is None
    assert ran.load_error.line == line
    assert ran.results == {}


def test_syntax_error_points_at_the_place(child: WarmChild):
    error = child.call("def f(x):\n    return x +\n").load_error

    assert error.message == "invalid syntax"
    assert (
        error.traceback
        == '  File "solution.py", line 2\n    return x +\n              ^\nSyntaxError: invalid syntax\n'
    )


@pytest.mark.parametrize("package", ["pandas", "django", "django.db", "sklearn.svm"])
def test_package_that_is_not_there_is_told_with_what_is(child: WarmChild, package):
    error = child.call(f"import {package}\ndef f(): pass\n").load_error

    assert error.type == "ModuleNotFoundError"
    assert error.message == (
        f"No module named '{package.split('.')[0]}'. Available here: torch, numpy, einops and the standard library."
    )
    assert error.line == 1


def test_missing_part_of_a_promised_package_is_told_plainly(child: WarmChild):
    error = child.call("import torch.nothing\ndef f(): pass\n").load_error

    assert error.message == "No module named 'torch.nothing'"


@pytest.mark.parametrize("module", ["einops", "torch.optim", "numpy.linalg", "dataclasses", "torch.fx", "xml.etree"])
def test_promised_packages_are_there(child: WarmChild, module):
    assert child.call(f"import {module}\ndef f(): return 1\n").value == 1


def test_process_that_ends_itself_leaves_no_result(child: WarmChild):
    ran = child.call("import os\ndef f():\n    os._exit(0)\n")

    assert (ran.kinds, ran.results) == (["loaded"], {})


def test_exit_hooks_and_threads_have_no_say(child: WarmChild):
    source = """
import atexit, threading, time
def forever():
    while True:
        time.sleep(1)
atexit.register(forever)
def f():
    threading.Thread(target=forever).start()
    return 1
"""
    assert child.call(source).value == 1


# EX_SOFTWARE: the runner sees a run without its last frames, never a value.
OUR_FAULT = 70


@pytest.mark.parametrize(
    "data",
    [
        wire.encode_frame(wire.END),
        wire.encode_frame(wire.Frame(header={"kind": "program"}))[:-1],
        b"\xff" * 100,
        wire.encode_frame(wire.Frame(header={"kind": "program", "program": "call", "seed": 0, "result_bytes": 1})),
    ],
)
def test_commands_of_a_wrong_form_end_the_process_as_our_fault(child: WarmChild, data):
    ran = child.write(data)

    assert (ran.kinds, ran.status) == ([], OUR_FAULT)


def test_a_pipe_that_closes_at_once_ends_the_process(child: WarmChild):
    ran = child.write(b"")

    assert (ran.kinds, ran.status) == ([], 0)


@pytest.mark.parametrize(
    "argument",
    [Unsupported(kind="a set"), TensorBytes(dtype="bfloat16", shape=(1,), data=b"\0\0", origin="numpy")],
)
def test_inputs_that_cannot_be_made_end_the_process_as_our_fault(child: WarmChild, argument):
    ran = child.call("def f(x): pass\n", argument)

    assert (ran.kinds, ran.status) == (["loaded"], OUR_FAULT)
