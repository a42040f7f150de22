"""The published submissions, shuffled and side by side: no neighbour changes a verdict, and nothing is left."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.corpus.arena import open_arena
from tests.corpus.invariants import checksum, look, require_one_fair_end
from tests.corpus.items import GRADED

pytestmark = [pytest.mark.verify, pytest.mark.sandbox, pytest.mark.timeout(3600)]

HANDED_IN = [(item, file) for item in GRADED for file in item.files]
SHARED = ("torch", "numpy", "einops")


@pytest.mark.parametrize(("seed", "at_once"), [(1, 2), (2, 2), (3, 2), (4, 4)])
def test_shuffled_corpus_gets_its_verdicts_and_leaves_nothing(tmp_path, record_property, seed, at_once):
    order = random.Random(seed).sample(HANDED_IN, len(HANDED_IN))
    with open_arena(tmp_path, slots=at_once) as arena:
        usual = arena.canary()
        before = look(arena)
        with ThreadPoolExecutor(at_once) as pool:
            graded = list(pool.map(lambda pair: arena.grade(pair[1], pair[0].exercise), order))
        assert arena.canary() == usual
        after = look(arena)

        wrong = {
            file.name: (item.verdict, each.verdict, each.evidence)
            for (item, file), each in zip(order, graded, strict=True)
            if each.verdict != item.verdict
        }
        record_property("figures", f"{len(graded)} submissions, {at_once} at once: {len(wrong)} wrong verdicts")
        assert wrong == {}
        for (item, _), each in zip(order, graded, strict=True):
            require_one_fair_end(arena, each, item.exercise)
        assert after.traces == before.traces


def test_every_shared_file_keeps_its_bytes_through_the_hostile_items(tmp_path, record_property):
    """The whole manifest of what runs share, not a sample of it."""
    before = manifest()
    with open_arena(tmp_path) as arena:
        for item in GRADED:
            if item.id[0] == "E":
                for file in item.files:
                    arena.grade(file, item.exercise)

    changed = [path for path, digest in manifest().items() if before.get(path) != digest]
    record_property("figures", f"{len(before)} shared files, {len(changed)} changed")
    assert changed == []


def manifest():
    """Checksums of the packages that students may import and of the standard library."""
    library = Path(random.__file__).parent
    packages = next(Path(path) for path in sys.path if path.endswith("site-packages"))
    folders = [*(packages / name for name in SHARED), library]
    paths = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {path: checksum(path) for path in paths if "__pycache__" not in path.parts}
