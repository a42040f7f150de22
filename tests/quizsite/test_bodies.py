import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.urls import resolve

from quizsite.bodies import LARGEST_BODY_BYTES, LARGEST_UPLOAD_BYTES, WholeBodies


class Exchange:
    """A request whose body comes in these messages, and what was answered; after them nothing comes."""

    def __init__(self, *messages, path="/"):
        self.messages = list(messages)
        self.path = path
        self.sent = []
        self.seen = []

    async def receive(self):
        if not self.messages:
            await asyncio.sleep(60)
        return self.messages.pop(0)

    async def send(self, message):
        self.sent.append(message)

    async def application(self, scope, receive, send):
        self.seen.append(await receive())
        self.seen.append(await receive())

    def run(self):
        whole = WholeBodies(self.application, seconds=0.05)
        # Beside this thread: a browser of another test may keep a loop in it.
        with ThreadPoolExecutor(1) as thread:
            scope = {"type": "http", "method": "POST", "path": self.path}
            thread.submit(lambda: asyncio.run(whole(scope, self.receive, self.send))).result()
        return self


def piece(body, *, more):
    return {"type": "http.request", "body": body, "more_body": more}


GONE = {"type": "http.disconnect"}


def test_body_is_handed_on_in_one_piece():
    exchange = Exchange(piece(b"one ", more=True), piece(b"two", more=False), GONE).run()

    assert exchange.seen == [piece(b"one two", more=False), GONE]


@pytest.mark.parametrize(
    ("messages", "status"),
    [
        ([piece(b"{", more=True)], 408),
        ([piece(b"x" * LARGEST_BODY_BYTES, more=True), *[piece(b"x" * 9, more=True)] * 9, piece(b"", more=False)], 413),
    ],
)
def test_body_that_is_too_slow_or_too_large_reaches_no_thread(messages, status):
    exchange = Exchange(*messages).run()

    assert exchange.seen == []
    assert exchange.sent[0]["status"] == status


UPLOADS = ["/api/v1/courses/a-course/content/", "/author/courses/a-course/upload/"]


@pytest.mark.parametrize("path", UPLOADS)
def test_course_may_be_larger(path):
    body = b"x" * LARGEST_BODY_BYTES

    exchange = Exchange(piece(body, more=True), piece(b"yz", more=False), GONE, path=path).run()

    assert exchange.seen == [piece(body, more=True), piece(b"yz", more=False)]


@pytest.mark.parametrize("path", UPLOADS)
def test_course_that_is_too_large_reaches_no_thread(path):
    body = b"x" * LARGEST_UPLOAD_BYTES

    exchange = Exchange(piece(body, more=True), piece(b"yz", more=False), path=path).run()

    assert (exchange.seen, exchange.sent[0]["status"]) == ([], 413)


@pytest.mark.parametrize(
    "path", ["/api/v1/courses/a/content/x/", "/api/v1/courses/a/b/content/", "/x/author/courses/a/upload/"]
)
def test_nothing_else_may_be_larger(path):
    exchange = Exchange(piece(b"x" * LARGEST_BODY_BYTES, more=True), piece(b"yz", more=False), path=path).run()

    assert (exchange.seen, exchange.sent[0]["status"]) == ([], 413)


def test_uploads_are_addresses_of_the_site():
    assert [resolve(path).view_name for path in UPLOADS] == ["api:course-content", "authoring:upload"]


def test_sender_who_leaves_is_forgotten():
    exchange = Exchange(piece(b"{", more=True), GONE).run()

    assert (exchange.seen, exchange.sent) == ([], [])
