import pytest
from celery import current_app

from tests.broker import Broker


@pytest.fixture
def redis(settings, monkeypatch, tmp_path):
    """A Redis of the test's own, which the side channel and the queue use."""
    broker = Broker(tmp_path)
    broker.start()
    settings.REDIS_URL = broker.url
    monkeypatch.setattr(current_app.conf, "broker_url", broker.url.replace("unix://", "redis+socket://"))
    yield broker
    broker.stop()
