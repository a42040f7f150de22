from datetime import timedelta

import pytest
import time_machine
from redis import Redis

from exercises import live

CASES = [{"name": "two tokens", "visible": True, "verdict": "accepted"}]


def test_partial_cases_are_read_back(redis):
    live.store_partial(7, CASES)

    assert live.read_partial(7) == CASES
    assert live.read_partial(8) == []


def test_partial_cases_are_gone_after_a_minute(redis):
    live.store_partial(7, CASES)

    assert 0 < Redis.from_url(redis.url).ttl("partial:7") <= 60


def test_change_is_heard_on_the_channel_of_its_topic(redis):
    with Redis.from_url(redis.url).pubsub() as listener:
        listener.subscribe("changed:submission:7")
        listener.get_message(timeout=5)

        live.publish_changed("submission:8")
        live.publish_changed("submission:7")

        assert listener.get_message(timeout=5)["channel"] == b"changed:submission:7"


def test_without_redis_nothing_is_read_and_nothing_fails():
    live.publish_changed("submission:7")
    live.store_partial(7, CASES)

    assert live.read_partial(7) == []


def test_token_names_its_topic():
    assert live.topic_of(live.events_token("submission:7")) == "submission:7"


@pytest.mark.parametrize("token", ["", "submission:7", "submission:7:a:b"])
def test_forged_token_names_nothing(token):
    assert live.topic_of(token) is None


def test_changed_token_names_nothing():
    token = live.events_token("submission:7")

    assert live.topic_of(token.replace("7", "8", 1)) is None


def test_old_token_names_nothing():
    token = live.events_token("submission:7")

    with time_machine.travel(timedelta(hours=1, seconds=1)):
        assert live.topic_of(token) is None
