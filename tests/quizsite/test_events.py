import asyncio
import contextlib
import http.client
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from exercises import live
from quizsite import events

ROOT = Path(__file__).parents[2]
KEY = "the-key-of-this-test" * 3

pytestmark = pytest.mark.enable_socket


class Site:
    """The whole site as one server process, without a supervisor."""

    def __init__(self, data, redis_url):
        (data / "static").mkdir(parents=True)
        (data / "secret_key").write_text(KEY)
        listening = socket.create_server(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        environment = {**os.environ, "DATA": str(data), "REDIS_URL": redis_url, "PORT": str(self.port)}
        del environment["DJANGO_SETTINGS_MODULE"]
        command = [sys.executable, "-m", "quizsite.server", "--fd", str(listening.fileno())]
        with listening, (data / "log").open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=environment, pass_fds=[listening.fileno()], stdout=log, stderr=log
            )

    @contextlib.contextmanager
    def answer(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        try:
            yield connection.getresponse()
        finally:
            connection.close()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(20) in (0, -15)


@pytest.fixture
def site(tmp_path, broker, settings):
    settings.SECRET_KEY = KEY
    running = Site(tmp_path / "data", broker.url)
    yield running
    running.stop()


def next_event(answer):
    """The lines of the next event."""
    lines = []
    while line := answer.readline().decode().rstrip("\r\n"):
        lines.append(line)
    return [line for line in lines if not line.startswith((":", "retry:"))]


CHANGED = ["event: changed", "data: changed"]


def test_stream_says_that_its_topic_changed_and_nothing_else(site, broker):
    with site.answer(f"/events/{live.events_token('run:5')}/") as answer:
        assert (answer.status, answer.headers["Content-Type"]) == (200, "text/event-stream; charset=utf-8")
        assert (answer.headers["Cache-Control"], answer.headers["X-Accel-Buffering"]) == ("no-store", "no")
        assert next_event(answer) == CHANGED

        wait_for_subscriber(broker)
        broker.client.publish("changed:run:6", "another")
        broker.client.publish("changed:run:5", "accepted")

        assert next_event(answer) == CHANGED


def test_stream_survives_a_broker_that_went_away(site, broker):
    with site.answer(f"/events/{live.events_token('run:5')}/") as answer:
        assert next_event(answer) == CHANGED
        wait_for_subscriber(broker)

        broker.stop()
        broker.start()

        # Whatever was published meanwhile is lost, so the stream says: look again.
        assert next_event(answer) == CHANGED


def test_stream_opens_while_the_broker_is_away(site, broker):
    broker.stop()
    with site.answer(f"/events/{live.events_token('run:5')}/") as answer:
        assert next_event(answer) == CHANGED

        broker.start()

        assert next_event(answer) == CHANGED


@pytest.mark.parametrize("token", ["x", "run:5", "run:5:1abc:forged", "%00", "%FF"])
def test_token_that_is_not_ours_is_not_found(site, token):
    with site.answer(f"/events/{token}/") as answer:
        assert answer.status == 404


def test_pages_are_served_beside_the_stream(site):
    with site.answer("/healthz") as answer:
        assert (answer.status, answer.read()) == (200, b'{"status": "ok"}')


def test_server_stops_although_a_stream_is_open(tmp_path, broker, settings):
    settings.SECRET_KEY = KEY
    site = Site(tmp_path / "data", broker.url)
    with site.answer(f"/events/{live.events_token('run:5')}/") as answer:
        assert next_event(answer) == CHANGED

        site.stop()


def wait_for_subscriber(broker):
    while broker.client.pubsub_numpat() == 0:
        pass


def test_stream_ends_after_its_time(monkeypatch):
    monkeypatch.setattr(events, "STREAM_SECONDS", 0.0)

    sent = run(collect, "run:5")

    assert [event.event for event in sent] == ["changed"]
    assert not events.changes._waiting


def run(function, *arguments):
    """What the coroutine gives, in a thread of its own: browsers leave a running loop behind in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(function(*arguments))).result()


async def collect(topic):
    return [event async for event in events._events(topic)]


def test_many_changes_at_once_are_one_event(monkeypatch):
    monkeypatch.setattr(events, "STREAM_SECONDS", 0.5)
    monkeypatch.setattr(events, "LEAST_SECONDS_BETWEEN_EVENTS", 0.05)

    sent = run(collect_while_changing, "run:5", 20)

    assert len(sent) == 2


async def collect_while_changing(topic, times):
    reader = asyncio.create_task(collect(topic))
    await asyncio.sleep(0.01)
    for _ in range(times):
        events.changes._wake(topic)
    return await reader
