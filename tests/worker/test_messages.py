"""What a worker takes from the broker: messages in JSON alone."""

import json
import pickle
from pathlib import Path

import pytest
from kombu import Connection, Exchange, Queue
from kombu.exceptions import ContentDisallowed

from tests.broker import Broker
from worker.app import app


class Marker:
    """Leaves a file where it is loaded."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.fixture
def connection(tmp_path):
    broker = Broker(tmp_path)
    broker.start()
    with Connection(broker.url.replace("unix://", "redis+socket://")) as connection:
        yield connection
    broker.stop()


def received(connection, body, **properties):
    """A message as a worker gets it."""
    queue = Queue("celery", Exchange("celery"), routing_key="celery")
    with connection.Producer() as producer:
        producer.publish(body, exchange=queue.exchange, routing_key="celery", declare=[queue], **properties)
    messages = []
    with app.amqp.TaskConsumer(connection.default_channel, on_message=messages.append):
        connection.drain_events(timeout=5)
    return messages[0]


def test_pickled_message_is_refused_and_not_loaded(connection, tmp_path):
    marker = tmp_path / "marker"
    body = pickle.dumps(Marker(marker))

    message = received(connection, body, content_type="application/x-python-serialize", content_encoding="binary")

    with pytest.raises(ContentDisallowed):
        message.decode()
    assert not marker.exists()


def test_message_in_json_is_taken(connection):
    message = received(connection, json.dumps([[], {}, {}]), content_type="application/json", content_encoding="utf-8")

    assert message.decode() == [[], {}, {}]
