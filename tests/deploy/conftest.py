import shutil
import tempfile
from pathlib import Path

import pytest

from tests.deploy.engine import BASE, CORES, STAND_INS, TARGETS, VERSION, Engine, Site, lay_out, missing
from tests.product import ROOT


@pytest.fixture(scope="session")
def engine():
    """Kept in a folder with a short name: the path of a socket is at most 107 bytes long."""
    if lacking := missing():
        pytest.skip(f"needs {lacking}")
    engine = Engine(Path(tempfile.mkdtemp(prefix="quizsite-engine-")))
    yield engine
    engine.stop()


@pytest.fixture(scope="session")
def site(engine):
    """The product, served: images made here, from Debian's packages and wheels."""
    folder = engine.folder / "source"
    lay_out(folder)
    engine.make_base()
    for name in STAND_INS:
        engine.build(ROOT / "tests/deploy/images", name, f"quizsite-test/{name}", network="host", BASE=BASE)
    for target in TARGETS:
        tag = f"quizsite-{target}:{VERSION}"
        engine.build(folder, target, tag, network="none", PYTHON_IMAGE=BASE, PIP_OPTIONS="--no-index")
    shutil.rmtree(folder / "deploy" / "wheels")
    site = Site(engine, folder, RUNNER_SLOTS=str(CORES), WORKER_PROCESSES=str(CORES))
    try:
        site.up()
        site.manage("load_course", "exercises/courses/attention")
        yield site
    finally:
        site.compose("down", "--volumes")
