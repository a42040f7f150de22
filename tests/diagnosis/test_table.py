"""The first likely cause of solutions of the blind set is the true one: a sample here, all with `make verify`."""

import pytest
from worker.sandbox.service import private_runner

from tests.diagnosis.table import EXERCISES, rows, summary

pytestmark = pytest.mark.sandbox

SAMPLE = "rms-norm"
GENERIC = 0.8
WITH_MISTAKES = 0.95


@pytest.fixture(scope="module")
def runner():
    with private_runner(slots=2) as client:
        yield client


@pytest.mark.slow
def test_sample_is_diagnosed(runner):
    counts = summary(list(rows(runner, SAMPLE)))

    assert (counts["wrong accepted"], counts["right refused"]) == (0, 0)
    assert counts["generic"] >= GENERIC * counts["wrong"]
    assert counts["with mistakes"] >= WITH_MISTAKES * counts["wrong"]


@pytest.mark.verify
@pytest.mark.timeout(1800)
def test_blind_set_is_diagnosed(runner):
    counts = summary([row for slug in EXERCISES for row in rows(runner, slug)])

    assert (counts["wrong accepted"], counts["right refused"]) == (0, 0)
    assert counts["generic"] >= GENERIC * counts["wrong"]
    assert counts["with mistakes"] >= WITH_MISTAKES * counts["wrong"]
