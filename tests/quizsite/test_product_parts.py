import socket

import pytest
from django.core.management import CommandError, call_command

from quizsite import product


def test_runner_may_be_reduced_only_where_it_is_said():
    (loopback,), (other,) = product.runner(may_be_reduced=True), product.runner(may_be_reduced=False)

    assert "--allow-reduced" in loopback.command
    assert "--allow-reduced" not in other.command
    assert other.environment == {}


def test_external_broker_and_runner_are_not_started(settings, tmp_path):
    settings.REDIS_URL = "redis://elsewhere"
    settings.RUNNER_SOCKET = tmp_path / "runner.sock"

    assert product.valkey() == product.runner(may_be_reduced=False) == []


def test_broker_of_its_own_listens_on_no_port(settings):
    settings.REDIS_URL = f"unix://{settings.RUN_FOLDER / 'valkey.sock'}"

    (part,) = product.valkey()

    options = dict(zip(part.command[1::2], part.command[2::2], strict=True))
    assert (options["--port"], options["--unixsocketperm"]) == ("0", "700")
    assert (options["--appendonly"], options["--maxmemory-policy"]) == ("yes", "noeviction")


def test_processes_of_the_web_share_one_socket():
    with socket.socket() as listening:
        (one,), several = product.web(listening, None), product.web(listening, None, processes=3)

        assert {part.descriptors for part in several} == {(listening.fileno(),)}

    assert [part.name for part in several] == ["web", "web-2", "web-3"]
    assert {part.command for part in several} == {one.command}


@pytest.mark.parametrize("count", ["0", "65", "many"])
def test_number_of_web_processes_that_makes_no_sense_is_refused(count):
    with pytest.raises(CommandError, match="--web-processes"):
        call_command("up", f"--web-processes={count}")
