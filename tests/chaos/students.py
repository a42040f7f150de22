"""Students who hand in whatever happens: a request that fails is sent again with the same key, as a browser's is."""

import contextlib
import http.client
import queue
import threading
import time
import uuid
from dataclasses import dataclass, field

from tests.chaos.site import ASSIGNMENT
from tests.product import ATTENTION, RIGHT

SOURCES = {
    "accepted": RIGHT,
    "wrong_answer": RIGHT.replace(" / math.sqrt(query.shape[-1])", ""),
    "runtime_error": RIGHT.replace("key.transpose(-2, -1)", "key.transposed()"),
}
CLIENTS = 8
PAUSE_SECONDS = 0.2


@dataclass(kw_only=True)
class HandIn:
    """One hand-in of one student, and what came of it."""

    token: str
    source: str
    expected: str
    key: str = field(default_factory=lambda: uuid.uuid4().hex)
    id: int | None = None
    verdict: str | None = None
    refused: str | None = None


def hand_ins(tokens, number):
    """`number` hand-ins, spread over the students, their sources and verdicts in turn."""
    verdicts = list(SOURCES)
    made = []
    for index in range(number):
        expected = verdicts[index % len(verdicts)]
        token = tokens[index % len(tokens)]
        made.append(HandIn(token=token, source=f"{SOURCES[expected]}# {index}\n", expected=expected))
    return made


class Students:
    """Hands in at the side, not faster than `may_begin(number)` lets it; then waits for the outcomes."""

    def __init__(self, product, work, may_begin):
        self._product, self._may_begin = product, may_begin
        self._waiting = queue.SimpleQueue()
        for numbered in enumerate(work):
            self._waiting.put(numbered)
        self._open, self._stopped = [], threading.Event()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(CLIENTS)]

    def start(self):
        for thread in self._threads:
            thread.start()

    def look_after(self, work):
        """Wait for these outcomes too, of what was handed in before."""
        self._open += work

    def join(self, seconds):
        """Wait until all have their outcome, and no longer than this."""
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0))
        self._stopped.set()

    def _work(self):
        mine = list(self._open)
        with contextlib.suppress(queue.Empty):
            while not self._stopped.is_set():
                number, hand_in = self._waiting.get_nowait()
                while not self._may_begin(number) and not self._stopped.wait(PAUSE_SECONDS):
                    pass
                self._hand_in(hand_in)
                mine.append(hand_in)
        while not self._stopped.wait(PAUSE_SECONDS) and any(_is_open(each) for each in mine):
            for hand_in in filter(_is_open, mine):
                self._look(hand_in)

    def _hand_in(self, hand_in):
        body = {"source": hand_in.source, "assignment": ASSIGNMENT}
        while not self._stopped.is_set():
            status, answer = self._call(hand_in, "POST", f"{ATTENTION}submissions/", body)
            if status in (201, 202):
                hand_in.id = answer["id"]
                return
            if status is not None and status < 500:
                hand_in.refused = f"{status} {answer}"
                return
            self._stopped.wait(PAUSE_SECONDS)

    def _look(self, hand_in):
        status, answer = self._call(hand_in, "GET", f"/api/v1/submissions/{hand_in.id}/")
        if status == 200 and answer["state"] == "graded":
            hand_in.verdict = answer["verdict"]

    def _call(self, hand_in, method, path, body=None):
        headers = {"Authorization": f"Token {hand_in.token}", "Idempotency-Key": hand_in.key}
        try:
            return self._product.call(method, path, body, token=False, headers=headers)
        except (OSError, http.client.HTTPException):
            return None, None


def _is_open(hand_in):
    return hand_in.refused is None and hand_in.verdict is None
