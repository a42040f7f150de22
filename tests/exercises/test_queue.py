import json

import pytest
from redis import Redis

from exercises.queue import enqueue_preparation, enqueue_work

pytestmark = pytest.mark.django_db


def test_work_is_queued_by_name_once_the_transaction_is_through(redis, django_capture_on_commit_callbacks):
    client = Redis.from_url(redis.url)

    with django_capture_on_commit_callbacks(execute=True):
        enqueue_work()
        before = client.llen("celery")

    assert before == 0
    assert json.loads(client.lpop("celery"))["headers"]["task"] == "worker.tasks.work"


def test_preparation_is_queued_with_the_version(redis, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_preparation(17)

    headers = json.loads(Redis.from_url(redis.url).lpop("celery"))["headers"]
    assert (headers["task"], headers["argsrepr"]) == ("worker.tasks.prepare_cases", "(17,)")


def test_without_a_broker_it_is_logged_and_goes_on(django_capture_on_commit_callbacks, caplog):
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_work()

    assert "worker.tasks.work was not queued" in caplog.text
