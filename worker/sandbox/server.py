"""The runner's loop: clients, the queue of jobs, slots, and the self-test before the first of them."""

from __future__ import annotations

import logging
import os
import selectors
import socket
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakSet

from worker.sandbox import tightness
from worker.sandbox.commands import PROTOCOL, fault_frame, read_job
from worker.sandbox.connection import Connection
from worker.sandbox.containers import Container
from worker.sandbox.frames import Frame, WireError, encode_frame
from worker.sandbox.job import RunReport, SandboxError
from worker.sandbox.machine import Machine, Mode
from worker.sandbox.pool import Pool
from worker.sandbox.reports import report_frame
from worker.sandbox.running import Order, Running
from worker.sandbox.selftest import SelfTest
from worker.sandbox.templates import PoolSetting
from worker.sandbox.tightness import Layer, OpenLayerError

log = logging.getLogger(__name__)

LANES = ("run", "submission", "regrade")
# How long the loop sleeps at most; shorter while something is on its way out.
_LONGEST_SLEEP_SECONDS = 0.5
_TIDYING_SLEEP_SECONDS = 0.005
_START_SECONDS = 120.0
_MOST_FAILURES = 5
_DEAF_SECONDS = 0.2
# The first process of a container ends a moment after those that it takes with it.
_INIT_END_SECONDS = 0.05
_HELPER_DIED = "the warm program or the maker died during the run"
_SACRIFICED = "the machine or its container ran out of memory, and the kernel ended the run"


class StoppedError(SandboxError):
    """The runner was asked to end before it served anybody."""


@dataclass(slots=True, eq=False)
class Waiting:
    """A job in the queue."""

    order: Order
    connection: Connection
    # It lost its first container before anything was heard from it.
    is_second_try: bool = False


class Server:
    """One runner. `start` refuses where a required layer is open; `serve` runs until `stop`."""

    def __init__(self, machine: Machine, *, slots: int, allow_reduced: bool) -> None:
        self._machine = machine
        self._slots = slots
        self._allow_reduced = allow_reduced
        self._selector = selectors.DefaultSelector()
        self._queues: dict[str, deque[Waiting]] = {lane: deque() for lane in LANES}
        self._connections: WeakSet[Connection] = WeakSet()
        self._running: dict[Running, Waiting] = {}
        self._by_container: dict[str, Running] = {}
        # Those whose child was killed, by itself or from outside, and until when that is looked at.
        self._doubtful: dict[Running, float] = {}
        self._listener: socket.socket | None = None
        self._deaf_until = 0.0
        self._wakeups: socket.socket | None = None
        self._layers: list[Layer] = []
        self._failures = 0
        self._is_stopping = False
        self._served = 0
        self._pool = self._make_pool(is_contained=machine.mode != Mode.REDUCED)
        self._test = SelfTest(self._pool)

    def _make_pool(self, *, is_contained: bool) -> Pool:
        machine = self._machine
        setting = PoolSetting(
            slots=self._slots,
            is_contained=is_contained,
            has_groups=machine.has_groups,
            outer_base=machine.outer_base,
            filter_program=machine.filter_program,
        )
        return Pool(setting, self, selector=self._selector, groups=machine.groups)

    # The start

    def start(self) -> None:
        """Warm up and test every layer.

        Raises:
            OpenLayerError: a required layer is open and reduced isolation is not allowed.
            StoppedError: `stop` was called meanwhile.
            SandboxError: the warm program did not start.
        """
        self._pool.start()
        self._wait_until_warm()
        self._layers = self._try_layers()
        open_layers = [layer for layer in self._layers if layer.is_in_the_way]
        if open_layers:
            if not self._allow_reduced:
                raise OpenLayerError(self._layers)
            self._reduce()
        self._pool.is_filling = True
        self._pool.fill()

    def _wait_until_warm(self) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while not self._pool.facts:
            if time.monotonic() > deadline:
                raise SandboxError(f"the warm program was not ready after {_START_SECONDS:g} s")
            self._starting_turn(0.5)

    def _starting_turn(self, seconds: float) -> None:
        if self._is_stopping:
            raise StoppedError("asked to end before it served anybody")
        self._turn(seconds)

    def _try_layers(self) -> list[Layer]:
        if self._machine.mode == Mode.REDUCED:
            return tightness.layers_without_namespaces(self._machine, self._machine.namespace_error)
        self._test = SelfTest(self._pool)
        self._test.start()
        while not self._test.is_over:
            self._test.look()
            self._starting_turn(0.1)
        return self._test.layers(self._machine)

    def _reduce(self) -> None:
        log.warning("isolation is reduced: %s", OpenLayerError(self._layers))
        if self._machine.mode == Mode.REDUCED:
            return
        self._pool.close()
        self._machine = replace(self._machine, mode=Mode.REDUCED, groups=None)
        self._pool = self._make_pool(is_contained=False)
        self._pool.start()
        self._wait_until_warm()

    # The loop

    def listen(self, listener: socket.socket) -> None:
        """Take clients from this socket from now on."""
        listener.setblocking(False)
        self._listener = listener
        self._hear_clients()

    def _hear_clients(self) -> None:
        assert self._listener is not None
        self._deaf_until = 0.0
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def watch(self, wakeups: socket.socket) -> None:
        """Wake the loop when something can be read here: the number of a signal that a handler took."""
        wakeups.setblocking(False)
        self._wakeups = wakeups
        self._selector.register(wakeups, selectors.EVENT_READ, self._woken)

    def _woken(self) -> None:
        assert self._wakeups is not None
        self._wakeups.recv(4096)

    def serve(self) -> None:
        """Run until `stop`."""
        while not self._is_stopping:
            self._turn(self._sleep_seconds())

    def stop(self) -> None:
        """Leave `serve` after this turn; what `start` waits for ends too."""
        self._is_stopping = True

    def close(self) -> None:
        """End all runs, maker and template, and remove every trace."""
        for running in self._running:
            running.cancel()
        for connection in list(self._connections):
            connection.close()
        self._pool.close()
        self._selector.close()

    def _sleep_seconds(self) -> float:
        now = time.monotonic()
        is_soon = self._doubtful or self._pool.has_closing
        longest = _TIDYING_SLEEP_SECONDS if is_soon else _LONGEST_SLEEP_SECONDS
        return max(0.0, min([longest, *(running.next_look - now for running in self._running)]))

    def _turn(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            # What was handled before in this turn may have closed this one, or put another in its place. Asked by
            # number: a closed socket has none any more, and is no key to ask by.
            if self._selector.get_map().get(key.fd) is key:
                key.data()
        now = time.monotonic()
        for running in list(self._running):
            running.look(now)
        if self._doubtful:
            self._settle(now)
        if self._deaf_until and now >= self._deaf_until:
            self._hear_clients()
        self._pool.tidy()

    # Clients

    def _accept(self) -> None:
        assert self._listener is not None
        try:
            client, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError as error:
            # It would be there again at once: not in a busy loop.
            log.error("a client has to wait: %s", error)
            self._selector.unregister(self._listener)
            self._deaf_until = time.monotonic() + _DEAF_SECONDS
            return
        self._connections.add(Connection(client, self, selector=self._selector))

    def asked(self, connection: Connection, frames: list[Frame]) -> None:
        """Answer a question, or queue a job. Raises: WireError (neither)."""
        if frames[0].kind == "status":
            connection.send_last(Frame(header={"kind": "status", **self.status()}))
            return
        header, limits = read_job(frames[0])
        if header["lane"] not in LANES:
            raise WireError(f"expected one of the lanes {', '.join(LANES)}")
        order = Order(
            id=header["id"],
            lane=header["lane"],
            limits=limits,
            frames=tuple(frames[1:]),
            hidden_from=header["hidden_from"],
        )
        self._queues[order.lane].append(Waiting(order, connection))
        self._dispatch()

    def left(self, connection: Connection) -> None:
        """Forget the job of a client that went away, running or not."""
        for running, waiting in list(self._running.items()):
            if waiting.connection is connection:
                running.cancel()
                self._release(running)
        for queue in self._queues.values():
            for item in [item for item in queue if item.connection is connection]:
                queue.remove(item)

    def status(self) -> dict[str, Any]:
        """What the runner is, how tight, and how busy."""
        return {
            "protocol": PROTOCOL,
            "mode": self._machine.mode,
            "layers": tightness.layers_json(self._layers),
            "slots": self._slots,
            "running": len(self._running),
            "waiting": sum(len(queue) for queue in self._queues.values()),
            "served": self._served,
            "pid": os.getpid(),
            **self._pool.facts,
            **self._pool.status(),
        }

    # Jobs

    def _dispatch(self) -> None:
        for lane in LANES:
            queue = self._queues[lane]
            while queue and len(self._running) < self._slots:
                if not self._start_first(queue):
                    break

    def _start_first(self, queue: deque[Waiting]) -> bool:
        container = self._pool.take()
        if container is None:
            return False
        waiting = queue.popleft()
        running = Running(
            waiting.order,
            container,
            selector=self._selector,
            relay=_Relay(waiting.connection).send,
            finished=self._finished,
        )
        self._running[running] = waiting
        self._by_container[container.name] = running
        running.begin()
        return True

    def _finished(self, running: Running, report: RunReport) -> None:
        facts = self._pool.facts
        report = replace(
            report, torch_version=facts.get("torch_version", ""), cpu_capability=facts.get("cpu_capability", "")
        )
        self._running[running].connection.send_last(report_frame(report))
        self._served += 1
        log.info(
            "run %s: %s; CPU %.3f s, wall %.3f s, memory %d, tasks %d; %s",
            running.order.id, report.status, report.cpu_seconds, report.wall_seconds, report.peak_memory_bytes,
            report.peak_tasks, report.evidence,
        )  # fmt: skip
        # The client may have turned out to have left: then it was released already.
        if running in self._running:
            self._release(running)

    def _release(self, running: Running) -> None:
        del self._running[running]
        del self._by_container[running.container.name]
        self._doubtful.pop(running, None)
        self._pool.discard(running.container)
        self._dispatch()

    # What the pool says

    def container_ready(self, container: Container) -> None:
        """Put it to use, or let it wait."""
        if container.is_probe:
            self._test.container_ready(container)
            return
        self._failures = 0
        self._dispatch()

    def container_failed(self, name: str, error: str, *, is_probe: bool) -> None:
        """Try again; after five failures in a row tell those who wait that it is our fault."""
        log.error("container %s could not be made: %s", name, error)
        if is_probe:
            self._test.fail(error)
            return
        self._failures += 1
        if self._failures < _MOST_FAILURES:
            return
        for queue in self._queues.values():
            while queue:
                _fault(queue.popleft().connection, f"no container could be made: {error}")

    def child_ended(self, container: Container) -> None:
        """Let its job judge the death, unless it may be our fault."""
        if container.is_probe:
            self._test.child_ended(container)
            return
        running = self._by_container[container.name]
        usage = running.usage()
        if usage.was_sacrificed:
            self._lose(running, _SACRIFICED)
        elif container.was_killed and not usage.needed_too_much:
            self._doubtful[running] = time.monotonic() + _INIT_END_SECONDS
        else:
            running.child_ended()

    def _settle(self, now: float) -> None:
        """Of children that were killed: those whose container ended too did not do it themselves."""
        for running, until in list(self._doubtful.items()):
            if running.container.is_over():
                self._lose(running, _HELPER_DIED)
            elif now >= until:
                running.child_ended()

    def container_lost(self, container: Container) -> None:
        """Start the job once more if nothing was heard of it yet; else tell the client that it was lost by our fault.

        A container whose warm program died is handed out until that death is heard.
        """
        if container.is_probe:
            self._test.fail("the warm program or the maker died")
            return
        self._lose(self._by_container[container.name], _HELPER_DIED)

    def _lose(self, running: Running, why: str) -> None:
        log.error("run %s was lost: %s", running.order.id, why)
        waiting = self._running[running]
        running.cancel()
        is_lost = running.has_begun or waiting.is_second_try
        if not is_lost:
            self._queues[running.order.lane].appendleft(replace(waiting, is_second_try=True))
        self._release(running)
        if is_lost:
            _fault(waiting.connection, why)


@dataclass(frozen=True, slots=True)
class _Relay:
    """Passes a child's frames on to its client, unread."""

    connection: Connection

    def send(self, frame: Frame) -> None:
        self.connection.send(Frame(header={"kind": "relay"}, body=encode_frame(frame)))


def _fault(connection: Connection, message: str) -> None:
    connection.send_last(fault_frame(message))
