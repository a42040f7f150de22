"""One job by itself, on plain pipes: what a child may send and how it may end, step by step and without one."""

import os
import selectors

import pytest

from worker.sandbox import running
from worker.sandbox.cgroups import Usage
from worker.sandbox.containers import Container, open_pipes
from worker.sandbox.frames import Frame, encode_frame
from worker.sandbox.job import Limits, Status
from worker.sandbox.running import Order, Running

LOADED = Frame(header={"kind": "loaded"})
ENDED = Frame(header={"kind": "ended"})
INSPECTION = Frame(header={"kind": "inspection"})


class StubMeter:
    """Says what the test wants it to."""

    look_seconds = 10.0

    def __init__(self):
        self.cpu, self.waited, self.found = 0.0, 0.0, ""

    def begin(self, limits):
        pass

    def cpu_seconds(self):
        return self.cpu

    def look(self):
        return self.found

    def usage(self):
        return Usage(cpu_seconds=self.cpu)

    def waited_seconds(self):
        return self.waited


class Job:
    """A running job and the child's ends of its pipes."""

    def __init__(self, selector, order):
        self.relayed, self.reports = [], []
        self.meter = StubMeter()
        self.container = Container(name="run-1", place=0, template=None, pipes=open_pipes(), group=None)
        self.container.meter = self.meter
        self.printed, self.errors, self.commands, self.results = self.container.pipes.childs
        self.running = Running(order, self.container, selector=selector, relay=self._relay, finished=self._finished)
        self.running.begin()

    def _relay(self, frame):
        self.relayed.append(frame.kind)

    def _finished(self, _, report):
        self.reports.append(report)

    def say(self, *frames):
        """The child sends these, and the loop reads them."""
        os.write(self.results, b"".join(encode_frame(frame) for frame in frames))
        self.running._read_results()

    def close_results(self):
        """The child closes its result pipe, and the loop reads that."""
        os.close(self.results)
        self.running._read_results()

    def look(self, seconds):
        """A look so long after the beginning."""
        self.running.look(self.running._began + seconds)

    @property
    def statuses(self):
        return [report.status for report in self.reports]


def result(index=0, body=b""):
    return Frame(header={"kind": "result", "index": index}, body=body)


@pytest.fixture
def start():
    """Begins a job; all is closed afterwards."""
    begun = []
    with selectors.DefaultSelector() as selector:

        def begin(program="call", calls=1, hidden_from=9, body=b"", **limits):
            frames = [Frame(header={"program": program}, body=body)]
            frames += [Frame(header={"kind": "call"})] * calls
            order = Order(id="1", lane="run", limits=Limits(**limits), frames=tuple(frames), hidden_from=hidden_from)
            begun.append(Job(selector, order))
            return begun[-1]

        yield begin
        for job in begun:
            job.running.cancel()
            job.container.close()


def test_call_is_relayed_to_its_end(start):
    job = start()

    job.say(LOADED, result(), ENDED)

    assert (job.relayed, job.statuses) == (["loaded", "result"], [Status.FINISHED])


def test_program_larger_than_the_pipe_goes_out_piece_by_piece(start):
    job = start(body=bytes(1 << 18))
    size = len(encode_frame(job.running.order.frames[0]))

    taken = 0
    while job.running._outgoing:
        taken += len(os.read(job.commands, 1 << 16))
        job.running._write()
        job.running._write()
    while taken < size:
        taken += len(os.read(job.commands, 1 << 16))

    assert taken == size
    assert job.container.pipes.commands not in job.running._watched


def test_child_that_reads_no_more_gets_no_more(start):
    job = start()
    os.close(job.commands)

    job.say(LOADED)

    assert (len(job.running._outgoing), job.statuses) == (0, [])


def test_text_of_hidden_calls_is_not_kept(start):
    job = start(calls=2, hidden_from=2)
    os.write(job.printed, b"visible")
    job.say(LOADED, result())
    os.write(job.printed, b"hidden")

    job.say(result(1), ENDED)

    assert [report.stdout for report in job.reports] == ["visible"]


def test_reading_leaves_others_a_turn(start, monkeypatch):
    monkeypatch.setattr(running, "_READ_BYTES", 1)
    job = start()

    job.say(LOADED)

    assert job.running._received == 16


def test_no_more_is_read_after_the_end(start):
    job = start()
    job.say(LOADED, result(), ENDED)

    job.say(result(1))

    assert job.relayed == ["loaded", "result"]


@pytest.mark.parametrize(
    ("program", "frames"),
    [
        ("call", [LOADED, LOADED]),
        ("call", [result()]),
        ("call", [LOADED, result(1)]),
        ("call", [LOADED, INSPECTION]),
        ("call", [ENDED]),
        ("call", [LOADED, ENDED]),
        ("script", [INSPECTION]),
        ("script", [LOADED, INSPECTION, INSPECTION]),
        ("script", [LOADED, result(), result(1)]),
        ("cases", [LOADED, *(result(index) for index in range(65))]),
        ("call", [Frame(header={"kind": "x"}), LOADED]),
    ],
)
def test_frame_that_is_not_expected_ends_the_run_once(start, program, frames):
    job = start(program=program)

    job.say(*frames)

    assert job.statuses == [Status.GARBLED]
    assert "was not expected" in job.reports[0].evidence


@pytest.mark.parametrize(
    "frames", [[LOADED, INSPECTION, result(), ENDED], [Frame(header={"kind": "load_error"}), ENDED]]
)
def test_script_may_end_with_an_inspection_or_without_being_loaded(start, frames):
    job = start(program="script")

    job.say(*frames)

    assert (job.relayed, job.statuses) == ([frame.kind for frame in frames[:-1]], [Status.FINISHED])


def test_bytes_that_are_no_frame_end_the_run(start):
    job = start()
    os.write(job.results, b"\xff" * 8)

    job.running._read_results()

    assert job.statuses == [Status.GARBLED]


def test_results_over_the_cap_end_the_run(start):
    job = start(result_bytes=1 << 16)
    data = memoryview(encode_frame(result(body=bytes(1 << 20))))

    for begin in range(0, 4 << 16, 1 << 16):
        os.write(job.results, data[begin : begin + (1 << 16)])
        job.running._read_results()

    assert job.statuses == [Status.OUTPUT_TOO_LARGE]


@pytest.mark.parametrize(("half", "words"), [(b"", "closed before the end"), (b"\0\0", "ended within a frame")])
def test_child_that_closed_its_results_and_lives_is_given_a_moment(start, half, words):
    job = start()
    os.write(job.results, half)
    job.close_results()
    until = job.running._grace_until

    job.running.next_look = 0.0
    job.running.look(until - 0.1)
    assert (job.running.next_look, job.statuses) == (until, [])
    job.running.look(until)

    assert job.statuses == [Status.GARBLED]
    assert words in job.reports[0].evidence


def test_child_that_died_in_its_moment_is_waited_for(start):
    job = start()
    job.close_results()
    until = job.running._grace_until
    # Readable, as the descriptor of a dead process is.
    job.container.child, end = os.pipe()
    os.close(end)

    job.running.look(until)
    assert job.statuses == []
    job.container.wait_status = 0
    job.running.child_ended()

    os.close(job.container.child)
    assert job.statuses == [Status.EXITED]


def test_results_of_a_dead_child_are_taken_first(start):
    job = start()
    os.write(job.results, b"".join(encode_frame(frame) for frame in (LOADED, result(), ENDED)))

    job.running.child_ended()

    assert job.statuses == [Status.FINISHED]


def test_dead_child_has_no_more_time_to_die(start):
    job = start()
    job.container.wait_status = 9
    os.write(job.results, encode_frame(LOADED))
    os.close(job.results)

    job.running.child_ended()

    assert (job.relayed, job.running._grace_until, job.statuses) == (["loaded"], None, [Status.CRASHED])


def test_death_after_the_end_is_not_told(start):
    job = start()
    job.say(LOADED, result(), ENDED)

    job.running.child_ended()

    assert job.statuses == [Status.FINISHED]


def test_end_that_dies_with_too_much_printed_is_named_by_that(start):
    job = start(printed_bytes=3)
    os.write(job.errors, b"four")

    job.say(LOADED, result(), ENDED)

    assert job.statuses == [Status.OUTPUT_TOO_LARGE]


@pytest.mark.parametrize(
    ("found", "cpu", "waited", "seconds", "status"),
    [
        ("memory", 0.0, 0.0, 5.0, Status.OUT_OF_MEMORY),
        ("tasks", 0.0, 0.0, 5.0, Status.TASK_LIMIT),
        ("", 4.5, 0.0, 5.0, Status.TIMED_OUT),
        ("", 1.0, 0.0, 15.0, Status.TIMED_OUT),
        ("", 1.0, 200.0, 150.0, Status.TIMED_OUT),
        ("", 0.0, 0.0, 11.0, Status.TIMED_OUT),
    ],
)
def test_limit_ends_the_run(start, found, cpu, waited, seconds, status):
    job = start(cpu_seconds=4.0, idle_seconds=10.0)
    job.meter.found, job.meter.cpu, job.meter.waited = found, cpu, waited

    job.look(seconds)

    assert job.statuses == [status]


@pytest.mark.parametrize(("cpu", "waited", "seconds"), [(1.0, 10.0, 15.0), (0.0, 5.0, 13.0)])
def test_run_that_others_kept_waiting_goes_on(start, cpu, waited, seconds):
    """Neither the wall clock nor idleness ends it."""
    job = start(cpu_seconds=4.0, idle_seconds=10.0)
    job.meter.cpu, job.meter.waited = cpu, waited

    job.look(seconds)

    assert job.statuses == []


def test_too_much_print_is_found_at_a_look(start):
    job = start(printed_bytes=3)
    os.write(job.printed, b"four")

    job.look(10.0)
    job.look(20.0)

    assert job.statuses == [Status.OUTPUT_TOO_LARGE]


@pytest.mark.parametrize(("size", "pause"), [(2048, 0.25), (2047, 2.5)])
def test_run_that_fills_small_pipes_is_looked_at_again_soon(start, monkeypatch, size, pause):
    monkeypatch.setattr(running, "_CORES", 1)
    job = start(cpu_seconds=100.0)
    job.meter.look_seconds = 2.5
    job.container.pipes.room_bytes = 4096
    os.write(job.errors, bytes(size))
    now = job.running._began + 20.0

    job.running._active = now
    job.running.look(now)

    assert job.running.next_look == now + pause


def test_look_before_its_time_is_none(start):
    job = start(printed_bytes=3)
    os.write(job.printed, b"four")

    job.look(-1.0)

    assert job.statuses == []


def test_cancelled_run_has_no_report(start):
    job = start()

    job.running.cancel()
    job.running.cancel()
    job.running._end(running.Sign.DIED)
    job.look(1000.0)

    assert (job.reports, job.running._watched) == ([], set())
