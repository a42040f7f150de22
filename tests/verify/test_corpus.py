"""The published submissions, shuffled and side by side: no neighbour changes a verdict."""

import random
from collections import defaultdict
from pathlib import Path

import pytest
import yaml

from exercises.content import read_exercise
from worker.files import grade_files
from worker.sandbox.service import private_runner

pytestmark = [pytest.mark.verify, pytest.mark.sandbox]

FOLDER = Path(__file__).resolve().parents[1] / "submissions"
INDEX = yaml.safe_load((FOLDER / "index.yaml").read_text(encoding="utf-8"))


def expected_verdicts():
    """The verdict of each file by exercise. What is handed in in a given order is left to other tests."""
    found = defaultdict(dict)
    for entry in INDEX:
        if entry["verdict"] is not None and entry.get("order") != "sequence":
            found[entry["exercise"]] |= {str(FOLDER / file): entry["verdict"] for file in entry["files"]}
    return found


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_shuffled_corpus_gets_the_verdicts_of_its_index(seed):
    order = random.Random(seed)
    wrong = {}
    with private_runner() as runner:
        for exercise, verdicts in expected_verdicts().items():
            files = list(verdicts)
            order.shuffle(files)
            for graded in grade_files(read_exercise(FOLDER / "exercises" / exercise), files, runner, seed=str(seed)):
                if graded.outcome.verdict != verdicts[str(graded.file)]:
                    wrong[Path(graded.file).name] = (verdicts[str(graded.file)], graded.outcome.verdict.value)
    assert wrong == {}
