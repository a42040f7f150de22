import pytest
from celery import current_app
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.broker import Broker
from tests.exercises.learn.people import make_people
from tests.torch_forks import torch_forks


@pytest.fixture(scope="session")
def with_torch():
    """A process that has loaded torch, for programs of authors."""
    with torch_forks() as forks:
        yield forks


@pytest.fixture
def redis(settings, monkeypatch, tmp_path):
    """A Redis of the test's own, which the side channel and the queue use."""
    broker = Broker(tmp_path)
    broker.start()
    settings.REDIS_URL = broker.url
    monkeypatch.setattr(current_app.conf, "broker_url", broker.url.replace("unix://", "redis+socket://"))
    yield broker
    broker.stop()


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture
def course(people):
    return people["course"]


@pytest.fixture
def student(client, people):
    """The owner of what the test makes, signed in."""
    client.force_login(people["owner"])
    return people["owner"]


@pytest.fixture
def queries_of(client):
    """How many queries a page takes."""

    def count(address):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            response = client.get(address)
        assert response.status_code == 200
        return len(queries)

    return count
