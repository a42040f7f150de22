"""One job in one container: commands go in one at a time, frames come back, text is recorded, limits are kept."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable
from dataclasses import dataclass

from worker.sandbox.cgroups import Usage
from worker.sandbox.commands import END
from worker.sandbox.containers import Container
from worker.sandbox.ending import Ending, Sign, judge
from worker.sandbox.frames import CHILD_HEADER_BYTES, Frame, FrameReader, WireError, encode_frame
from worker.sandbox.job import Limits, RunReport
from worker.sandbox.recording import Stream

_READ_BYTES = 256 * 1024
_READS = 16
# What frames add to the values in them; and where a declared length is absurd rather than merely too large.
_FRAME_BYTES = 64 * 1024
_LARGEST_BODY = 1 << 40
# CPU time below this is the process's own noise, not work.
_NOISE_SECONDS = 0.001
_SOONEST_LOOK_SECONDS = 0.004
# A user who has many pipes gets small ones: a run that fills half of one between looks is looked at so much oftener.
_FLOOD_PACE = 10
# Limits of the wall clock are stretched at most so often for a run that others keep waiting.
_PATIENCE = 10
# How long a run that closed its result pipe may take to die.
_GRACE_SECONDS = 0.5
# Of an author's cases, which are drawn once for each seed. Any other program without calls gives one result.
_MOST_DRAWS = 64
_CORES = os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A job as it came over the socket: its header's values and its command frames."""

    id: str
    lane: str
    limits: Limits
    frames: tuple[Frame, ...]
    hidden_from: int


class Running:
    """The life of one job. `relay` takes each frame of the child, `finished` the report, exactly once."""

    def __init__(
        self,
        order: Order,
        container: Container,
        *,
        selector: selectors.BaseSelector,
        relay: Callable[[Frame], None],
        finished: Callable[[Running, RunReport], None],
    ) -> None:
        assert container.meter is not None
        self.order = order
        self.container = container
        self._meter = container.meter
        self._selector = selector
        self._relay = relay
        self._finished = finished
        self._reader = FrameReader(max_header=CHILD_HEADER_BYTES, max_body=_LARGEST_BODY)
        self._output = Stream(container.pipes.output, order.limits.kept_bytes)
        self._errors = Stream(container.pipes.errors, order.limits.kept_bytes)
        self._outgoing = memoryview(b"")
        self._watched: set[int] = set()
        self._sent = 0
        self._results = 0
        self._loaded = ""
        self._inspected = False
        self._received = 0
        self._wire_error = ""
        self._died = False
        self._is_over = False
        self._began = self._active = time.monotonic()
        self._cpu_seen = 0.0
        self._is_flood = False
        self._grace_until: float | None = None
        self.next_look = 0.0

    @property
    def has_begun(self) -> bool:
        """Whether the child has answered: its program was loaded, or could not be."""
        return bool(self._loaded)

    def usage(self) -> Usage:
        """What it has used until now."""
        return self._meter.usage()

    # The start

    def begin(self) -> None:
        """Set the limits, watch the pipes, send the program."""
        self._meter.begin(self.order.limits)
        self._began = self._active = time.monotonic()
        self._plan_look(self._began, 0.0)
        self._watch(self.container.pipes.results, selectors.EVENT_READ, self._read_results)
        self._send(self.order.frames[0])
        self._sent = 1

    def _watch(self, descriptor: int, events: int, handle: Callable[[], None]) -> None:
        self._selector.register(descriptor, events, handle)
        self._watched.add(descriptor)

    def _unwatch(self, descriptor: int) -> None:
        if descriptor in self._watched:
            self._selector.unregister(descriptor)
            self._watched.discard(descriptor)

    # Commands

    def _send(self, frame: Frame) -> None:
        self._outgoing = memoryview(encode_frame(frame))
        self._write()

    def _write(self) -> None:
        commands = self.container.pipes.commands
        try:
            while self._outgoing:
                self._outgoing = self._outgoing[os.write(commands, self._outgoing) :]
        except BlockingIOError:
            if commands not in self._watched:
                self._watch(commands, selectors.EVENT_WRITE, self._write)
            return
        except BrokenPipeError:
            # It will get no more; its end, or its silence, decides.
            self._outgoing = memoryview(b"")
        self._unwatch(commands)

    def _send_next(self) -> None:
        """The next call; before the first hidden one recording is closed for good."""
        if self._sent == self.order.hidden_from:
            self._read_printed()
            self._output.close_recording()
            self._errors.close_recording()
        if self._sent < len(self.order.frames):
            self._send(self.order.frames[self._sent])
            self._sent += 1
        else:
            self._send(END)

    # What comes out

    def _read_printed(self) -> None:
        """Take what was printed. At looks only: to wake at each line would slow the run and the runner down."""
        taken = [stream.read() for stream in (self._output, self._errors)]
        self._is_flood = max(taken) >= self.container.pipes.room_bytes // 2

    @property
    def _prints_too_much(self) -> bool:
        return self._output.counted + self._errors.counted > self.order.limits.printed_bytes

    def _read_results(self) -> None:
        for _ in range(_READS):
            if self._is_over or not self._read_piece():
                return

    def _read_piece(self) -> bool:
        """Whether there may be more to read."""
        try:
            data = os.read(self.container.pipes.results, _READ_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self._unwatch(self.container.pipes.results)
            self._results_closed()
            return False
        self._received += len(data)
        if self._received > self.order.limits.result_bytes + _FRAME_BYTES * (2 + self._results):
            self._end(Sign.RESULTS)
            return False
        try:
            for frame in self._reader.feed(data):
                self._take(frame)
        except WireError as error:
            self._garbled(str(error))
        return not self._is_over

    def _results_closed(self) -> None:
        if self._reader.pending:
            self._wire_error = "the stream ended within a frame"
        if not self._died:
            # It is about to die, or it closed the pipe and lives on: its death, or the grace's end, decides.
            self._grace_until = self.next_look = time.monotonic() + _GRACE_SECONDS

    def _take(self, frame: Frame) -> None:
        """Follow the child through its protocol: loaded, results in order, perhaps an inspection, ended."""
        if self._is_over:
            return
        if frame.kind == "ended" and self._is_complete():
            self._end(Sign.COMPLETE)
            return
        if not self._is_expected(frame):
            self._garbled(f"a frame of kind {frame.kind[:20]!r} was not expected")
            return
        self._relay(frame)
        # The client may turn out to have left: then the run was cancelled meanwhile.
        if not self._is_over and frame.kind in {"loaded", "result"} and self._is_call:
            self._send_next()

    @property
    def _is_call(self) -> bool:
        return self.order.frames[0].header.get("program") == "call"

    @property
    def _most_results(self) -> int:
        """How many results may have come by now: each is kept by the client, so that there must be an end to them."""
        if self._is_call:
            return self._sent - 1
        return _MOST_DRAWS if self.order.frames[0].header.get("program") == "cases" else 1

    def _is_complete(self) -> bool:
        if self._loaded == "load_error":
            return True
        return self._loaded == "loaded" and (not self._is_call or self._results == len(self.order.frames) - 1)

    def _is_expected(self, frame: Frame) -> bool:
        match frame.kind:
            case "loaded" | "load_error" if not self._loaded:
                self._loaded = frame.kind
            case "result" if self._loaded == "loaded" and frame.header.get("index") == self._results:
                if self._results >= self._most_results:
                    return False
                self._results += 1
            case "inspection" if self._loaded == "loaded" and not self._is_call and not self._inspected:
                self._inspected = True
            case _:
                return False
        return True

    def _garbled(self, error: str) -> None:
        self._wire_error = error
        self._end(Sign.GARBLED)

    # The end

    def child_ended(self) -> None:
        """The child is dead: take what it still sent, then judge."""
        self._died = True
        while not self._is_over and self.container.pipes.results in self._watched and self._read_piece():
            pass
        if not self._is_over:
            self._end(Sign.DIED)

    def look(self, now: float) -> None:
        """Keep the limits: CPU time, wall clock, idleness, and what the meter watches."""
        if self._is_over or now < self.next_look:
            return
        self._read_printed()
        cpu = self._meter.cpu_seconds()
        if cpu - self._cpu_seen > _NOISE_SECONDS:
            self._cpu_seen, self._active = cpu, now
        if (sign := self._limit_hit(now, cpu)) is not None:
            self._end(sign)
        elif self._grace_until is not None and now >= self._grace_until and not self.container.has_died():
            self._garbled(self._wire_error or "the result pipe was closed before the end")
        else:
            self._plan_look(now, cpu)

    def _limit_hit(self, now: float, cpu: float) -> Sign | None:
        limits = self.order.limits
        if found := self._meter.look():
            return Sign(found)
        hits = {
            Sign.CPU: cpu > limits.cpu_seconds,
            Sign.WALL: self._is_over_limit(now - self._began, limits.wall_seconds),
            Sign.PRINTED: self._prints_too_much,
            Sign.IDLE: self._is_over_limit(now - self._active, limits.idle_seconds),
        }
        return next((sign for sign, is_hit in hits.items() if is_hit), None)

    def _is_over_limit(self, seconds: float, limit: float) -> bool:
        """Whether a limit of the wall clock is reached. That the run was ready and others had the cores is not its."""
        return seconds > limit and seconds - self._meter.waited_seconds() > limit or seconds > _PATIENCE * limit

    def _plan_look(self, now: float, cpu: float) -> None:
        """Look again when all cores together could have used up what is left, and at the meter's own quick pace.

        Sooner in a flood: a run that waits for room in its pipe would meet the wall limit, not that on printed bytes.
        """
        left = max((self.order.limits.cpu_seconds - cpu) / _CORES, _SOONEST_LOOK_SECONDS)
        pace = self._meter.look_seconds / _FLOOD_PACE if self._is_flood else self._meter.look_seconds
        self.next_look = now + min(left, pace)
        if self._grace_until is not None and now < self._grace_until:
            self.next_look = min(self.next_look, self._grace_until)

    def cancel(self) -> None:
        """Nobody waits any more: end without a report."""
        if not self._is_over:
            self._stop()

    def _stop(self) -> None:
        self._is_over = True
        for descriptor in list(self._watched):
            self._unwatch(descriptor)

    def _end(self, sign: Sign) -> None:
        if self._is_over:
            return
        self._read_printed()
        if sign in (Sign.COMPLETE, Sign.DIED) and self._prints_too_much:
            sign = Sign.PRINTED
        self._stop()
        wall = time.monotonic() - self._began
        ending = Ending(
            sign=sign,
            usage=self._meter.usage(),
            limits=self.order.limits,
            wait_status=self.container.wait_status,
            wire_error=self._wire_error,
        )
        self._finished(self, self._report(ending, wall))

    def _report(self, ending: Ending, wall: float) -> RunReport:
        status, detail = judge(ending)
        return RunReport(
            status=status,
            detail=detail,
            evidence=ending.evidence,
            stdout=self._output.text(),
            stdout_truncated=self._output.is_cut or self._errors.is_cut,
            stderr=self._errors.text(),
            cpu_seconds=ending.usage.cpu_seconds,
            wall_seconds=wall,
            peak_memory_bytes=ending.usage.peak_memory_bytes,
            peak_tasks=ending.usage.peak_tasks,
        )
