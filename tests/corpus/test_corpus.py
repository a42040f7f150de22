"""Every item of the published set gets its verdict, and leaves the machine and its neighbours as they were."""

import pytest

from tests.corpus.afterwards import AFTERWARDS
from tests.corpus.invariants import SAMPLE, checksum, nothing_is_left, require_one_fair_end
from tests.corpus.items import GRADED

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(900)]


@pytest.fixture(scope="module", autouse=True)
def shared_files_stay():
    """U12: the bytes of what all runs share are the same before the first item and after the last."""
    before = {path: checksum(path) for path in SAMPLE}
    yield
    assert {path: checksum(path) for path in SAMPLE} == before


@pytest.mark.parametrize("item", GRADED, ids=lambda item: f"{item.id}-{item.name}")
def test_item_gets_its_verdict_and_leaves_nothing(arena, usual_canary, item):
    with nothing_is_left(arena, usual_canary):
        graded = [arena.grade(file, item.exercise) for file in item.files]

    assert [each.verdict for each in graded] == [item.verdict] * len(graded)
    for each in graded:
        require_one_fair_end(arena, each, item.exercise)
    AFTERWARDS.get(item.id, _nothing_more)(arena, item, graded)


def _nothing_more(arena, item, graded):
    """Most items ask for no more than their verdict and what every item asks for."""
