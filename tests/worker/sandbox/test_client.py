import socket
import threading

import pytest

from tests.worker.sandbox.runs import IDENTITY
from worker.sandbox.client import Client
from worker.sandbox.commands import PROTOCOL, fault_frame
from worker.sandbox.frames import Frame, FrameReader, encode_frame
from worker.sandbox.job import (
    CallResult,
    ProtocolMismatchError,
    RunnerUnavailableError,
    RunReport,
    Status,
    StudentError,
)
from worker.sandbox.reports import report_frame
from worker.sandbox.results import inspection_frame, load_error_frame, result_frame

ERROR = StudentError(type="ValueError", message="no")


class Answering:
    """A socket that answers the first client with given bytes and then closes."""

    def __init__(self, path, answer):
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen()
        self._answer = answer
        self.asked = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self):
        client, _ = self._listener.accept()
        with client:
            reader = FrameReader(max_header=1 << 20, max_body=1 << 30)
            while len(self.asked) < 3 and not any(frame.kind == "status" for frame in self.asked):
                self.asked += reader.feed(client.recv(65_536))
            client.sendall(self._answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._thread.join()
        self._listener.close()


def relay(frame):
    return encode_frame(Frame(header={"kind": "relay"}, body=encode_frame(frame)))


def run(tmp_path, *answers, on_result=None):
    path = tmp_path / "runner.sock"
    with Answering(path, b"".join(answers)) as answering:
        try:
            return Client(path).run(IDENTITY, on_result)
        finally:
            assert [frame.kind for frame in answering.asked] == ["job", "program", "call"]


def report(status=Status.FINISHED, **fields):
    return encode_frame(report_frame(RunReport(status=status, **fields)))


def test_results_and_report_are_put_together(tmp_path):
    result, seen = CallResult(index=0, value=3, seconds=0.5), []

    found = run(tmp_path, relay(result_frame(result)), report(stdout="text", cpu_seconds=1.5), on_result=seen.append)

    assert found == RunReport(status=Status.FINISHED, results=(result,), stdout="text", cpu_seconds=1.5)
    assert seen == [result]


def test_load_error_and_inspection_are_taken(tmp_path):
    found = run(tmp_path, relay(load_error_frame(ERROR)), relay(inspection_frame("3", ())), report())

    assert found.load_error == ERROR
    assert found.value_text == "3"


@pytest.mark.parametrize("status", [Status.FINISHED, Status.EXITED, Status.GARBLED])
def test_what_a_child_sent_that_is_no_result_is_garbled_and_nothing_after_it_believed(tmp_path, status):
    bad = Frame(header={"kind": "result", "index": 0, "seconds": 0.0}, body=b"garbage")
    seen = []

    found = run(
        tmp_path, relay(bad), relay(result_frame(CallResult(index=0, value=1))), report(status), on_result=seen.append
    )

    assert found.status == Status.GARBLED
    assert found.results == ()
    assert seen == []
    assert "wire:" in found.evidence


@pytest.mark.parametrize(
    "status", sorted({*Status} - {Status.FINISHED, Status.EXITED, Status.GARBLED}, key=lambda status: status.value)
)
def test_worse_status_outranks_what_is_no_result(tmp_path, status):
    bad = Frame(header={"kind": "result"})

    assert run(tmp_path, relay(bad), report(status)).status == status


def test_frames_that_only_say_how_far_it_is_are_skipped(tmp_path):
    assert run(tmp_path, relay(Frame(header={"kind": "loaded"})), report()).results == ()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "ended during the job"),
        (encode_frame(fault_frame("no container")), "no container"),
        (encode_frame(Frame(header={"kind": "relay"}))[:-3], "ended during the job"),
    ],
)
def test_runner_that_fails_is_unavailable(tmp_path, answer, message):
    with pytest.raises(RunnerUnavailableError, match=message):
        run(tmp_path, answer)


def test_status_is_told(tmp_path):
    path = tmp_path / "runner.sock"
    with Answering(path, encode_frame(Frame(header={"kind": "status", "protocol": PROTOCOL, "mode": "root"}))):
        assert Client(path).status() == {"protocol": PROTOCOL, "mode": "root"}


@pytest.mark.parametrize("version", [{}, {"protocol": PROTOCOL + 1}], ids=["before there was one", "later"])
def test_runner_of_another_release_is_no_loss_of_the_job(tmp_path, version):
    answer = Frame(header={"kind": "fault", "message": "not understood", **version})

    with pytest.raises(ProtocolMismatchError, match="start the same release of both"):
        run(tmp_path, encode_frame(answer))


def test_status_of_another_release_is_refused(tmp_path):
    path = tmp_path / "runner.sock"
    answer = encode_frame(Frame(header={"kind": "status", "protocol": PROTOCOL + 1, "mode": "root"}))
    with Answering(path, answer), pytest.raises(ProtocolMismatchError, match=f"version {PROTOCOL + 1}"):
        Client(path).status()


def test_runner_that_ends_before_it_answers_is_unavailable(tmp_path):
    path = tmp_path / "runner.sock"
    with Answering(path, b""), pytest.raises(RunnerUnavailableError, match="before it answered"):
        Client(path).status()


def test_no_runner_is_unavailable(tmp_path):
    with pytest.raises(RunnerUnavailableError, match="no runner answers"):
        Client(tmp_path / "nobody.sock").run(IDENTITY)


def test_runner_that_never_answers_is_unavailable(tmp_path, monkeypatch):
    monkeypatch.setattr("worker.sandbox.client._CONNECT_SECONDS", 0.05)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(tmp_path / "runner.sock"))
        listener.listen()

        with pytest.raises(RunnerUnavailableError, match="does not answer"):
            Client(tmp_path / "runner.sock").status()


def test_runner_that_hangs_up_while_it_is_asked_is_unavailable(tmp_path, monkeypatch):
    monkeypatch.setattr(socket.socket, "sendall", hang_up)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(tmp_path / "runner.sock"))
        listener.listen()

        with pytest.raises(RunnerUnavailableError, match="while it was asked"):
            Client(tmp_path / "runner.sock").run(IDENTITY)


def hang_up(*_):
    raise BrokenPipeError(32, "Broken pipe")
