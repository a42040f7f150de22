"""Readers who watch for events while hand-ins are graded; whoever is cut off listens again, as a browser does."""

import contextlib
import http.client
import itertools
import random
import threading
import time
import urllib.request

from tests.product import RIGHT

LISTENERS = 4
STREAM_SECONDS = 5
PAUSE_SECONDS = 0.2
TOLD_SECONDS = 60
SLOW = f"{RIGHT}\nimport time\ntime.sleep(2)\n"
EVENT = b"event: changed"


class Listeners:
    """Listen at the side to one open hand-in after the other; `events` counts what they were sent."""

    def __init__(self, product, work):
        self._product, self._work = product, work
        self._stopped = threading.Event()
        self._counts = [0] * LISTENERS
        self._threads = [
            threading.Thread(target=self._listen, args=(number,), daemon=True) for number in range(LISTENERS)
        ]

    @property
    def events(self):
        return sum(self._counts)

    def start(self):
        for thread in self._threads:
            thread.start()

    def stop(self):
        self._stopped.set()
        for thread in self._threads:
            thread.join(2 * STREAM_SECONDS)

    def _listen(self, number):
        chance = random.Random(number)
        while not self._stopped.wait(PAUSE_SECONDS):
            if waiting := [each for each in self._work if each.events and each.verdict is None]:
                for _event in events_of(self._product, chance.choice(waiting).events, seconds=STREAM_SECONDS):
                    self._counts[number] += 1


def is_told(product):
    """Whether whoever listens to a new hand-in is told of a change; the first event only says that the stream began."""
    submission = product.submit(SLOW)
    events = events_of(product, submission["events_url"], seconds=TOLD_SECONDS)
    return len(list(itertools.islice(events, 2))) == 2


def events_of(product, path, *, seconds):
    """The events of a stream until it breaks off, or for this long."""
    end = time.monotonic() + seconds
    with (
        contextlib.suppress(OSError, http.client.HTTPException),
        urllib.request.urlopen(product.events + path, timeout=seconds) as stream,
    ):
        for line in stream:
            if line.startswith(EVENT):
                yield line
            if time.monotonic() > end:
                return
