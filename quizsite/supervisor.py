"""Keeps the parts of the embedded mode running, and stops all of them together."""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from quizsite.logs import Log
from quizsite.parts import Part, Process

TICK_SECONDS = 0.1
FIRST_PAUSE_SECONDS = 0.1
# Until the kernel has ended what was killed.
KILL_SECONDS = 5.0
DEATHS_AT_MOST = 5
DEATHS_WITHIN_SECONDS = 60


class GaveUpError(Exception):
    """A part died again and again; the message names it."""


@dataclass(slots=True, kw_only=True)
class _Charge:
    """A part that is looked after: its process, its deaths of the last minute, and when to start it again."""

    part: Part
    process: Process | None = None
    deaths: deque[float] = field(default_factory=deque)
    start_at: float = 0.0


class Supervisor:
    """Starts parts, relays what they say, starts those again that died. One thread; call `watch` all the time."""

    def __init__(self, log: Log, say: Callable[[str], None]) -> None:
        self._log, self._say = log, say
        self._charges: list[_Charge] = []
        self._selector = selectors.DefaultSelector()
        self._is_stopping = False

    def start(self, parts: Iterable[Part]) -> None:
        """Start parts, which from now on are looked after."""
        for part in parts:
            charge = _Charge(part=part)
            self._charges.append(charge)
            self._launch(charge)

    def pids(self) -> dict[str, int]:
        """The process ids of the parts that run now, by name."""
        return {charge.part.name: charge.process.pid for charge in self._charges if charge.process is not None}

    def watch(self, seconds: float = TICK_SECONDS) -> None:
        """Look after the parts for a moment. Raises: GaveUpError when one died five times in a minute."""
        for key, _ in self._selector.select(seconds):
            self._relay(key.data)
        for charge in self._charges:
            self._look_after(charge)

    def watch_until(self, is_done: Callable[[], bool], *, seconds: float) -> bool:
        """Look after the parts until `is_done()` or until time is up; whether it is done. Raises: GaveUpError."""
        end = time.monotonic() + seconds
        while not (done := is_done()) and time.monotonic() < end:
            self.watch()
        return done

    def stop(self) -> None:
        """Stop all parts, those that need others first; whoever does not stop in time is killed."""
        if self._is_stopping:
            return
        self._is_stopping = True
        try:
            for stage in sorted({charge.part.stage for charge in self._charges}, reverse=True):
                self._stop_stage([charge for charge in self._charges if charge.part.stage == stage])
        finally:
            # Also when somebody impatient interrupts the above.
            self._kill(self._charges)
            self._selector.close()

    def _stop_stage(self, charges: list[_Charge]) -> None:
        for charge in charges:
            if charge.process is not None:
                charge.process.terminate()
        self._wait_for_end(charges, seconds=max(charge.part.stop_seconds for charge in charges))
        self._kill(charges)

    def _kill(self, charges: list[_Charge]) -> None:
        for charge in charges:
            if charge.process is not None:
                charge.process.kill()
        self._wait_for_end(charges, seconds=KILL_SECONDS)

    def _wait_for_end(self, charges: list[_Charge], *, seconds: float) -> None:
        end = time.monotonic() + seconds
        while any(charge.process is not None for charge in charges) and time.monotonic() < end:
            self.watch()

    def _launch(self, charge: _Charge) -> None:
        charge.process = Process(charge.part)
        self._selector.register(charge.process.output, selectors.EVENT_READ, charge)

    def _relay(self, charge: _Charge) -> None:
        if charge.process is None or charge.process.has_closed_output:
            return
        for line in charge.process.lines():
            self._log.write(charge.part.name, line)
        if charge.process.has_closed_output:
            self._selector.unregister(charge.process.output)

    def _look_after(self, charge: _Charge) -> None:
        if charge.process is None:
            if not self._is_stopping and time.monotonic() >= charge.start_at:
                self._launch(charge)
            return
        how = charge.process.ended()
        if how is not None:
            self._bury(charge, how)

    def _bury(self, charge: _Charge, how: str) -> None:
        assert charge.process is not None
        while not charge.process.has_closed_output:
            self._relay(charge)
        charge.process.output.close()
        charge.process = None
        if not self._is_stopping:
            self._plan_restart(charge, how)

    def _plan_restart(self, charge: _Charge, how: str) -> None:
        name, now = charge.part.name, time.monotonic()
        charge.deaths.append(now)
        while charge.deaths[0] < now - DEATHS_WITHIN_SECONDS:
            charge.deaths.popleft()
        for line in self._log.tail(name):
            self._say(f"{name} | {line}")
        if len(charge.deaths) >= DEATHS_AT_MOST:
            raise GaveUpError(f"{name} {how}, for the fifth time within a minute.")
        pause = FIRST_PAUSE_SECONDS * 2 ** (len(charge.deaths) - 1)
        charge.start_at = now + pause
        self._say(f"{name} {how}; it starts again in {pause:.1f} s.")
