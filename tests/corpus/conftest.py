import os

import pytest

pytest.register_assert_rewrite("tests.corpus.afterwards", "tests.corpus.arena", "tests.corpus.invariants")

from tests.corpus.arena import is_root, open_arena  # noqa: E402  (what asserts is rewritten before it is imported)
from tests.corpus.probes import SECRET  # noqa: E402


@pytest.fixture(scope="session")
def arena(tmp_path_factory):
    """One runner for all items; a secret lies in its environment, and in that of this process, its parent."""
    if not is_root() and not os.environ.get("CI"):
        pytest.skip("the marks of the corpus are read as root; tests/worker/sandbox/test_modes.py has the other modes")
    os.environ["PLANTED"] = SECRET
    with open_arena(tmp_path_factory.mktemp("arena"), environment={"PLANTED": SECRET}) as arena:
        yield arena
    del os.environ["PLANTED"]


@pytest.fixture(scope="session")
def usual_canary(arena):
    """What the canary returns while nothing else has run."""
    return arena.canary()
