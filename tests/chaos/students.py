"""Students who hand in whatever happens: a request that fails is sent again with the same key, as a browser's is."""

import http.client
import threading
import time
import uuid
import zlib
from collections import defaultdict
from dataclasses import dataclass, field

from tests.chaos.site import ASSIGNMENT
from tests.product import ATTENTION, RIGHT

SOURCES = {
    "accepted": RIGHT,
    "wrong_answer": RIGHT.replace(" / math.sqrt(query.shape[-1])", ""),
    "runtime_error": RIGHT.replace("key.transpose(-2, -1)", "key.transposed()"),
}
CLIENTS = 40
PAUSE_SECONDS = 0.2


@dataclass(kw_only=True)
class HandIn:
    """One hand-in of one student, and what came of it."""

    token: str
    source: str
    expected: str
    key: str = field(default_factory=lambda: uuid.uuid4().hex)
    id: int | None = None
    events: str | None = None
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
    """Hands in at the side, not faster than `may_begin(number)` lets it; each waits for an outcome before the next.

    A newer hand-in takes the place of one that still waits: that is how the product works, and not looked at here.
    """

    def __init__(self, product, work, may_begin):
        self._product, self._may_begin = product, may_begin
        self._stopped = threading.Event()
        clients = defaultdict(list)
        for number, hand_in in enumerate(work):
            clients[_client(hand_in)].append((number, hand_in))
        self._threads = [threading.Thread(target=self._work, args=(mine,), daemon=True) for mine in clients.values()]

    def start(self):
        for thread in self._threads:
            thread.start()

    def join(self, seconds):
        """Wait until all have their outcome, and no longer than this."""
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0))
        self._stopped.set()

    def _work(self, mine):
        for number, hand_in in mine:
            while not self._may_begin(number) and not self._stopped.wait(PAUSE_SECONDS):
                pass
            if hand_in.id is None:
                self._hand_in(hand_in)
            while _is_open(hand_in) and not self._stopped.wait(PAUSE_SECONDS):
                self._look(hand_in)

    def _hand_in(self, hand_in):
        body = {"source": hand_in.source, "assignment": ASSIGNMENT}
        while not self._stopped.is_set():
            status, answer = self._call(hand_in, "POST", f"{ATTENTION}submissions/", body)
            if status in (201, 202):
                hand_in.id, hand_in.events = answer["id"], answer["events_url"]
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


def _client(hand_in):
    return zlib.crc32(hand_in.token.encode()) % CLIENTS


def _is_open(hand_in):
    return hand_in.refused is None and hand_in.verdict is None
