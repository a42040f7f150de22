"""A hand-in whose worker dies each time: after three tries it is given up, at no cost, and holds nobody up."""

import contextlib
import os
import pickle
import signal
import sqlite3
import time

import pytest
from kombu import Connection

from tests.product import RIGHT

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.enable_socket, pytest.mark.timeout(600)]

SLOW = f"{RIGHT}\nimport time\ntime.sleep(3)\n"
TRIES = 3
SITE = "tests.chaos.site"


def row_of(product, submission):
    """State, tries, verdict, lease and worker of its grading; whether its attempt was given back."""
    with contextlib.closing(sqlite3.connect(product.data / "quizsite.sqlite3")) as database:
        return database.execute(
            "select state, tries, verdict, lease, claimed_by, given_back_because from exercises_grading grading"
            " left join exercises_attempt attempt using (submission_id) where submission_id = ?",
            [submission["id"]],
        ).fetchone()


def kill_whoever_claims(product, submission, seconds=120):
    """Kill each process that claims it, once for each claim; how many they were when it was given up."""
    killed, end = set(), time.monotonic() + seconds
    while time.monotonic() < end:
        state, _tries, verdict, lease, worker, _why = row_of(product, submission)
        if verdict:
            return len(killed)
        if state == "running" and lease not in killed:
            killed.add(lease)
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(worker.rpartition(":")[2]), signal.SIGKILL)
        time.sleep(0.02)
    raise AssertionError(f"not given up within {seconds} s: {row_of(product, submission)}")


def test_poison_is_given_up_after_three_tries_and_others_go_on(product):
    (token,) = product.within(SITE, "roster", 1, 5)
    poison = product.submit(SLOW)

    status, other = product.call(
        "POST",
        "/api/v1/exercises/attention/scaled-dot-product-attention/submissions/",
        {"source": RIGHT},
        token=False,
        headers={"Authorization": f"Token {token}"},
    )
    assert status == 202
    killed = kill_whoever_claims(product, poison)

    assert killed == TRIES
    state, tries, verdict, _lease, _worker, why = row_of(product, poison)
    assert (state, tries, verdict, why) == ("graded", TRIES, "internal_error", "a fault of ours")
    assert row_of(product, other)[:3] == ("graded", 1, "accepted")
    assert product.graded(product.submit(f"{RIGHT}# next\n"))["verdict"] == "accepted"
    assert product.within(SITE, "given_up") == 1
    assert product.graded(poison)["verdict"] == "accepted"


def test_pickled_message_is_refused_and_logged(product, tmp_path):
    with Connection(f"redis+socket://{product.data}/run/valkey.sock") as connection, connection.Producer() as producer:
        producer.publish(
            pickle.dumps([[], {}, {}]),
            routing_key="celery",
            content_type="application/x-python-serialize",
            content_encoding="binary",
        )
    log = product.data / "logs" / "parts.log"
    end = time.monotonic() + 20
    while "Refusing to deserialize" not in log.read_text() and time.monotonic() < end:
        time.sleep(0.1)

    assert "Refusing to deserialize" in log.read_text()
    assert product.graded(product.submit(f"{RIGHT}# after a pickle\n"))["verdict"] == "accepted"
