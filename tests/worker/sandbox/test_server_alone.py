"""The runner's loop by itself: what it is told at awkward moments, with a stub in place of containers."""

import os
import selectors
import signal
import socket
from types import SimpleNamespace

import pytest

from worker.sandbox import server as server_
from worker.sandbox.cgroups import Usage
from worker.sandbox.connection import Connection
from worker.sandbox.containers import Container, open_pipes
from worker.sandbox.frames import Frame, FrameReader
from worker.sandbox.job import Limits, SandboxError
from worker.sandbox.machine import Machine, Mode
from worker.sandbox.running import Order
from worker.sandbox.server import Server, StoppedError, Waiting
from worker.sandbox.tightness import State

MACHINE = Machine(mode=Mode.ROOT, groups=None, filter_program=b"")


class StubMeter:
    """Counts what the test says."""

    look_seconds = 10.0

    def __init__(self, **counted):
        self.counted = counted

    def begin(self, limits):
        pass

    def cpu_seconds(self):
        return 0.0

    def usage(self):
        return Usage(**self.counted)


class StubPool:
    """Hands out the containers that the test put in, and notes what it is asked for."""

    def __init__(self):
        self.made, self.ready, self.calls = [], [], []
        self.facts = {}
        self.has_closing = False

    def make(self, name="run-1", *, is_probe=False, **counted):
        """A container without a process."""
        pipes = open_pipes()
        made = Container(name=name, place=0, template=None, pipes=pipes, group=None, is_probe=is_probe)
        made.meter = StubMeter(**counted)
        self.made.append(made)
        return made

    def take(self):
        return self.ready.pop(0) if self.ready else None

    def discard(self, container):
        self.calls.append(("discard", container.name))

    def tidy(self):
        self.calls.append("tidy")

    def close(self):
        self.calls.append("close")


def order():
    frames = (Frame(header={"program": "call"}), Frame(header={"kind": "call"}))
    return Order(id="1", lane="run", limits=Limits(), frames=frames, hidden_from=2)


@pytest.fixture
def server():
    """A server that was not started, its containers stubbed."""
    made = Server(MACHINE, slots=1, allow_reduced=False)
    made._pool = made._test._pool = pool = StubPool()
    yield made
    made.close()
    for container in pool.made:
        container.close()


@pytest.fixture
def client(server):
    """A connection of the server, and the client's end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connection = Connection(ours, server, selector=server._selector)
        yield connection, theirs
        connection.close()


def begun(server, connection, **options):
    """A job that runs and was heard of, by its container."""
    made = started(server, connection, **options)
    (running,) = server._running
    running._take(Frame(header={"kind": "load_error"}))
    return made


def started(server, connection, **options):
    """A job that runs, by its container."""
    made = server._pool.make(**options)
    server._pool.ready.append(made)
    server._queues["run"].append(Waiting(order(), connection))
    server._dispatch()
    return made


def said(theirs):
    """Kind and message of all frames that came."""
    frames = FrameReader(max_header=1 << 16).feed(theirs.recv(1 << 16))
    return [(frame.kind, frame.header.get("message", "")) for frame in frames if frame.kind != "relay"]


@pytest.mark.parametrize("step", ["_wait_until_warm", "_try_layers"])
def test_server_that_is_stopped_while_it_starts_says_no_more_than_that(server, monkeypatch, step):
    monkeypatch.setattr(
        "worker.sandbox.server.SelfTest", lambda pool: SimpleNamespace(start=list, look=list, is_over=False)
    )
    server.stop()

    with pytest.raises(StoppedError):
        getattr(server, step)()


def test_server_that_is_not_warm_in_time_is_a_fault(server, monkeypatch):
    monkeypatch.setattr("worker.sandbox.server._START_SECONDS", -1.0)

    with pytest.raises(SandboxError, match="was not ready after") as fault:
        server._wait_until_warm()
    assert not isinstance(fault.value, StoppedError)


def test_client_that_went_away_before_it_was_accepted_is_none(server, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(tmp_path / "a.sock"))
        listener.listen()
        server.listen(listener)

        server._accept()

        assert len(server._selector.get_map()) == 1
        server._selector.unregister(listener)


def test_client_for_whom_there_is_no_descriptor_waits_and_is_taken_later(server, tmp_path, monkeypatch):
    path = str(tmp_path / "a.sock")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, socket.socket(socket.AF_UNIX) as theirs:
        listener.bind(path)
        listener.listen()
        server.listen(listener)
        theirs.connect(path)
        server._listener = SimpleNamespace(accept=lambda: os.close(-1), fileno=listener.fileno)
        server._turn(0.0)
        assert dict(server._selector.get_map()) == {}

        server._listener = listener
        server._turn(0.0)
        assert dict(server._selector.get_map()) == {}
        server._deaf_until = 1.0
        server._turn(0.0)
        server._turn(0.0)

        assert len(server._connections) == 1
        for connection in list(server._connections):
            connection.close()
        server._selector.unregister(listener)


@pytest.mark.parametrize("then", ["close", "replace", "nothing"])
def test_descriptor_that_another_handler_closed_in_this_turn_is_left_alone(server, then):
    handled = []
    reader, writer = socket.socketpair()
    with reader, writer:
        key = server._selector.register(reader, selectors.EVENT_READ, lambda: handled.append("old"))
        if then != "nothing":
            server._selector.unregister(reader)
        if then == "close":
            reader.close()
        if then == "replace":
            server._selector.register(reader, selectors.EVENT_READ, lambda: handled.append("new"))
        real, server._selector = server._selector, _Selected(server._selector, key)

        server._turn(0.0)

        server._selector = real
        if then != "close":
            server._selector.unregister(reader)
    assert handled == (["old"] if then == "nothing" else [])


class _Selected:
    """A selector that found this key ready a moment ago."""

    def __init__(self, selector, key):
        self._selector, self._key = selector, key

    def select(self, seconds):
        return [(self._key, selectors.EVENT_READ)]

    def get_map(self):
        return self._selector.get_map()


@pytest.mark.parametrize(("has_closing", "longest"), [(False, 0.5), (True, 0.005)])
def test_loop_sleeps_until_the_next_look_at_most(server, client, has_closing, longest):
    server._pool.has_closing = has_closing
    assert server._sleep_seconds() == longest
    begun(server, client[0])
    (running,) = server._running
    running.next_look = 0.0

    assert server._sleep_seconds() == 0.0


def test_turn_looks_at_each_run_and_tidies(server, client):
    begun(server, client[0])
    (running,) = server._running
    looked = []
    running.look = looked.append

    server._turn(0.0)

    assert (len(looked), server._pool.calls) == (1, ["tidy"])


def test_server_that_closes_ends_its_runs_and_leaves_those_who_wait(server):
    pairs = [socket.socketpair() for _ in range(2)]
    connections = [Connection(ours, server, selector=server._selector) for ours, _ in pairs]
    server._connections.update(connections)
    started(server, connections[0])
    server._queues["run"].append(Waiting(order(), connections[1]))

    server.close()

    assert [theirs.recv(1 << 16) for _, theirs in pairs] == [b"", b""]
    server._selector = selectors.DefaultSelector()
    server._running.clear()
    for _, theirs in pairs:
        theirs.close()


def test_another_client_that_leaves_ends_no_run(server, client):
    begun(server, client[0])
    server._queues["run"].append(Waiting(order(), client[0]))

    server.left(SimpleNamespace())
    assert (len(server._running), len(server._queues["run"])) == (1, 1)
    server.left(client[0])

    assert (len(server._running), len(server._queues["run"])) == (0, 0)


def test_run_whose_client_left_unnoticed_gets_no_further_call(server, client):
    started(server, client[0])
    (running,) = server._running
    client[1].close()

    running._take(Frame(header={"kind": "loaded"}))

    assert (running._sent, server._running) == (1, {})


def test_run_whose_client_left_unnoticed_ends_once(server, client):
    made = begun(server, client[0])
    client[1].close()

    server.child_ended(made)

    assert server._pool.calls.count(("discard", "run-1")) == 1


def test_one_failure_leaves_those_who_wait(server, client):
    server._queues["run"].append(Waiting(order(), client[0]))

    server.container_failed("run-1", "no", is_probe=False)

    assert len(server._queues["run"]) == 1


def test_fifth_failure_in_a_row_is_told(server, client):
    server._queues["run"].append(Waiting(order(), client[0]))

    for _ in range(5):
        server.container_failed("run-1", "no", is_probe=False)

    assert said(client[1]) == [("fault", "no container could be made: no")]


def test_probe_that_could_not_be_made_ends_the_self_test(server):
    server.container_failed("run-1", "no", is_probe=True)

    assert (server._test.is_over, server._test._error) == (True, "no")


def test_probe_that_ends_or_is_lost_ends_the_self_test(server):
    probe = server._pool.make(is_probe=True)

    server.child_ended(probe)
    assert server._test.is_over
    server.container_lost(probe)

    assert server._test._error == "the warm program or the maker died"


def test_probe_that_is_ready_is_heard_and_a_run_put_to_use(server, monkeypatch):
    heard = []
    monkeypatch.setattr(server._test, "container_ready", heard.append)
    probe = server._pool.make(is_probe=True)
    server._failures = 3

    server.container_ready(probe)
    assert (heard, server._failures) == ([probe], 3)
    server.container_ready(server._pool.make())

    assert server._failures == 0


def test_run_that_is_lost_is_our_fault(server, client):
    made = begun(server, client[0])

    server.container_lost(made)

    assert said(client[1]) == [("fault", "the warm program or the maker died during the run")]
    assert ("discard", "run-1") in server._pool.calls
    assert (server._running, server._by_container) == ({}, {})


def test_run_that_is_lost_before_it_was_heard_of_starts_once_more(server, client):
    first = started(server, client[0])
    second = server._pool.make("run-2")
    server._pool.ready.append(second)

    server.container_lost(first)
    (running,) = server._running
    assert running.container is second
    server.container_lost(second)

    assert said(client[1]) == [("fault", "the warm program or the maker died during the run")]


def test_run_killed_for_its_own_memory_is_the_students(server, client):
    made = begun(server, client[0], memory_kills=1, met_limit=True)
    made.wait_status = signal.SIGKILL

    server.child_ended(made)

    assert [kind for kind, _ in said(client[1])] == ["report"]


def test_run_killed_for_the_memory_of_others_is_our_fault(server, client):
    made = begun(server, client[0], memory_kills=1, met_limit=False)
    made.wait_status = signal.SIGKILL

    server.child_ended(made)

    assert said(client[1]) == [("fault", server_._SACRIFICED)]


@pytest.fixture
def killed(server, client, monkeypatch):
    """A run that was killed, nobody knows yet by whom; and a function that says that its first process has ended."""
    made = begun(server, client[0])
    made.wait_status = signal.SIGKILL
    over = []
    monkeypatch.setattr(Container, "is_over", lambda _: bool(over))
    server.child_ended(made)
    (running,) = server._running
    return running, lambda: over.append(True)


def test_killed_run_holds_up_no_other_and_is_looked_at_again_soon(server, client, killed):
    server._turn(0.0)

    assert (list(server._running), server._sleep_seconds()) == ([killed[0]], 0.005)


def test_run_killed_with_its_container_is_our_fault(server, client, killed):
    _, end_container = killed
    end_container()

    server._turn(0.0)

    assert said(client[1]) == [("fault", server_._HELPER_DIED)]
    assert (server._running, server._doubtful) == ({}, {})


def test_run_that_killed_itself_is_the_students_once_its_container_outlived_it(server, client, killed):
    running, _ = killed
    server._doubtful[running] = 0.0

    server._turn(0.0)

    assert [kind for kind, _ in said(client[1])] == ["report"]
    assert (server._running, server._doubtful) == ({}, {})


def test_killed_run_whose_client_leaves_is_forgotten(server, client, killed):
    server.left(client[0])

    server._turn(0.0)

    assert (server._running, server._doubtful) == ({}, {})


def test_reduced_machine_has_nothing_to_try(server, monkeypatch):
    monkeypatch.setattr(server, "_machine", Machine(mode=Mode.REDUCED, groups=None, filter_program=b""))

    server._layers = server._try_layers()
    server._reduce()

    assert (server._layers[0].name, server._layers[0].state) == ("namespaces", State.OPEN)
    assert server._pool.calls == []
