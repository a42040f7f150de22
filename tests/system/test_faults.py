"""Parts killed in the middle of submissions: each submission reaches exactly one outcome, the right one."""

import os
import signal
import sqlite3
import time

import pytest

from tests.product import RIGHT

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.enable_socket, pytest.mark.timeout(300)]

WRONG = RIGHT.replace(" / math.sqrt(query.shape[-1])", "")
PARTS = {
    "worker": r"worker\.app worker",
    "runner": r"worker\.sandbox\.runner",
    "broker": r"valkey-server",
    "beat": r"worker\.app beat",
}


def kill_one(product, part):
    """SIGKILL to a part once it is there; for a worker's child to the last process of the worker."""
    place, fewest = (-1, 2) if part == "worker child" else (0, 1)
    end = time.monotonic() + 30
    while len(pids := product.pids_of(PARTS[part.removesuffix(" child")])) < fewest and time.monotonic() < end:
        time.sleep(0.05)
    os.kill(pids[place], signal.SIGKILL)


@pytest.mark.parametrize("part", ["worker", "worker child", "runner", "broker", "beat"])
def test_killed_part_loses_no_submission(product, part):
    sources = [f"{source}# {part} {number}\n" for number in range(10) for source in (RIGHT, WRONG)]
    submissions = []

    for number, source in enumerate(sources):
        submissions.append(product.submit(source))
        if number in (6, 13):
            kill_one(product, part)
    outcomes = [product.graded(submission, seconds=120)["verdict"] for submission in submissions]

    assert outcomes == ["accepted", "wrong_answer"] * 10
    with sqlite3.connect(product.data / "quizsite.sqlite3") as database:
        (unjudged,) = database.execute(
            "select count(*) from exercises_grading where in_force and verdict = ''"
        ).fetchone()
        (doubled,) = database.execute(
            "select count(*) from (select 1 from exercises_grading group by submission_id having count(*) > 1)"
        ).fetchone()
    assert (unjudged, doubled) == (0, 0)


def test_hand_in_is_taken_while_the_broker_is_away(product):
    (broker,) = product.pids_of(PARTS["broker"])
    os.kill(broker, signal.SIGSTOP)
    try:
        started = time.monotonic()
        submission = product.submit(f"{RIGHT}# broker away\n")
        taken_after = time.monotonic() - started
    finally:
        os.kill(broker, signal.SIGCONT)

    assert submission["state"] in {"queued", "running", "graded"}
    assert taken_after < 10
    assert product.graded(submission, seconds=120)["verdict"] == "accepted"
