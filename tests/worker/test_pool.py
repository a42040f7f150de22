from types import SimpleNamespace

import pytest
from celery.concurrency import get_implementation

from worker.app import app
from worker.pool import Pool


@pytest.mark.parametrize(
    ("exit_codes", "did_start"),
    [((None, None), True), ((-9, None), True), ((0, None), True), ((None, 1), False), ((-9, 1), False)],
)
def test_worker_starts_unless_a_process_of_its_pool_ended_by_itself(exit_codes, did_start):
    pool = Pool.__new__(Pool)
    pool._pool = SimpleNamespace(_pool=[SimpleNamespace(exitcode=code) for code in exit_codes])

    assert pool.did_start_ok() is did_start


def test_worker_takes_this_pool():
    assert get_implementation(app.conf.worker_pool) is Pool
