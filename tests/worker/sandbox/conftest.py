import os

import pytest

from tests.worker.sandbox.driving import warm_child
from tests.worker.sandbox.measuring import measured
from tests.worker.sandbox.runs import is_root
from tests.worker.sandbox.serving import server_here
from worker.sandbox.environment import MAKER_ENVIRONMENT
from worker.sandbox.job import RunnerUnavailableError
from worker.sandbox.service import private_runner


@pytest.fixture(scope="session", autouse=True)
def measured_programs():
    """Makers, and runners that are programs, count too; they end by themselves, so nothing needs to be patched."""
    before = dict(MAKER_ENVIRONMENT)
    MAKER_ENVIRONMENT.update(measured({}, patch=()))
    yield
    MAKER_ENVIRONMENT.clear()
    MAKER_ENVIRONMENT.update(before)


@pytest.fixture(scope="session")
def child(measured_programs):
    """A warm process that forks for each program, without isolation."""
    with warm_child() as warm:
        yield warm


@pytest.fixture(scope="session")
def runner(tmp_path_factory):
    """A client of one runner for all tests: in this process where root, else a program, which enters a namespace."""
    if is_root():
        with server_here(tmp_path_factory.mktemp("runner")) as (_, client):
            yield client
        return
    try:
        with private_runner() as client:
            yield client
    except RunnerUnavailableError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"this machine cannot isolate: {error}")
