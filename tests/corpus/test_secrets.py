"""Each escape and theft of a secret works without isolation and not in a run; hidden and expected values stay away."""

import subprocess
import sys

import pytest

from tests.corpus.arena import definition, prepared
from tests.corpus.probes import PROBES, SECRET, Targets, reached_without_isolation, source
from worker.sandbox.job import Call, CallProgram, Job, Limits, Status, TensorBytes

pytestmark = pytest.mark.sandbox

EXERCISE = "x1-row-softmax"
KILLED_FOR = ("E04 read the memory of a process", "E05 a user namespace")
# The visible ones and those of the first draw of hidden ones.
CASES = 5
# Looks through all memory around what is its own for byte patterns, which come inverted so that they are not found in
# its own text. A pipe takes only what can be read, so that no map is needed.
SEARCH = """
import ctypes, os
import torch

INVERTED = {inverted!r}
libc = ctypes.CDLL(None, use_errno=True)

def pages(anchors, size=4096, reach=8 << 20):
    reader, writer = os.pipe()
    for anchor in anchors:
        for address in range(anchor - reach, anchor + reach, size):
            if libc.write(writer, ctypes.c_void_p(address), size) == size:
                yield os.read(reader, size)

def f(x):
    anchors = {{id(x) & -4096, x.data_ptr() & -4096, torch.empty(2000).data_ptr() & -4096, id(libc) & -4096}}
    found, inversion = [0] * len(INVERTED), bytes(range(255, -1, -1))
    for page in pages(anchors):
        page = page.translate(inversion)
        for number, needle in enumerate(INVERTED):
            found[number] += page.count(needle)
    return found
"""


@pytest.fixture
def targets(tmp_path):
    """A listener, a process and a folder, all made to be reached."""
    (tmp_path / "file").write_text(SECRET)
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "work.secret").write_text(SECRET)
    ports = "import socket, time\ns = socket.create_server(('127.0.0.1', 0))\nprint(s.getsockname()[1], flush=True)\n"
    command = [sys.executable, "-c", f"{ports}while True: s.accept()"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listener:
        try:
            port = int(listener.stdout.readline())
            folder = tmp_path / "others"
            yield Targets(port=port, pid=listener.pid, folder=str(folder), file=str(tmp_path / "file"))
        finally:
            listener.kill()


@pytest.mark.parametrize("name", PROBES)
def test_probe_reaches_its_target_without_isolation(name, targets):
    told = reached_without_isolation(name, targets)

    assert told
    assert "reached" in told or SECRET in told


@pytest.mark.parametrize("name", PROBES)
def test_probe_reaches_nothing_in_a_run(arena, name, targets):
    program = CallProgram(source=source(name, targets), entry="probe", calls=(Call(name="only", visible=True),))

    report = arena.client.run(Job(id=f"probe-{name.split()[0]}", program=program))

    if name in KILLED_FOR:
        assert report.status is Status.FILTER_KILLED
        assert report.results == ()
    else:
        (result,) = report.results
        assert result.error is None
        assert "reached" not in (result.value or "")
    assert "canary" not in str(report)


@pytest.fixture(scope="module")
def searched(arena):
    """How often each hidden input and each expected output was found in memory, for each call of a run."""
    cases = prepared(EXERCISE, arena).cases[:CASES]
    inputs, outputs = [case.call.args[0] for case in cases], [case.expected for case in cases]
    needles = [bytes(255 - byte for byte in _needle(value)) for value in (*inputs, *outputs)]
    program = CallProgram(source=SEARCH.format(inverted=needles), entry="f", calls=tuple(case.call for case in cases))
    report = arena.client.run(Job(id="search", program=program, limits=Limits(cpu_seconds=20.0)))
    assert report.status is Status.FINISHED, report
    assert [result.error for result in report.results] == [None] * len(cases)
    return cases, [result.value for result in report.results]


def _needle(value):
    assert isinstance(value, TensorBytes)
    return value.data[:24]


def test_search_finds_the_input_of_its_own_call(searched):
    """The control group: what is there is found."""
    cases, found = searched

    assert all(found[number][number] > 0 for number in range(len(cases)))


def test_hidden_input_is_nowhere_while_visible_cases_run(searched):
    cases, found = searched
    hidden = [number for number, case in enumerate(cases) if not case.visible]

    assert {found[call][number] for call, case in enumerate(cases) if case.visible for number in hidden} == {0}


def test_expected_output_is_nowhere_in_the_run(searched):
    cases, found = searched

    # The expected output of one column is a column of ones, which may be anywhere.
    telling = [number for number, case in enumerate(cases) if len(set(_needle(case.expected))) > 8]
    assert len(telling) >= 2
    assert {counts[len(cases) + number] for counts in found for number in telling} == {0}


def test_reference_and_secrets_of_the_service_are_in_no_source_that_a_run_gets(arena):
    """What goes in is the hand-in and its inputs; the reference is compared with, never sent."""
    reference = definition(EXERCISE)["files"]["reference.py"].strip().splitlines()[-1].strip()
    look = f"""
import gc

BACKWARDS = {reference[::-1]!r}

def f():
    tables = [table for table in gc.get_objects() if type(table) is dict]
    texts = [text for table in tables for text in list(table.values()) if type(text) is str]
    return [text for text in texts if BACKWARDS[::-1] in text]
"""
    program = CallProgram(source=look, entry="f", calls=(Call(name="only", visible=True),))

    (result,) = arena.client.run(Job(id="reference", program=program)).results

    assert result.value == []
