"""Odd outputs beside the published set: wrong ones get their verdict and their stage, right ones are accepted."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from exercises.content import read_exercise
from exercises.draws import draw_seeds
from graders.outcomes import Verdict
from worker.grading import grade_code, make_sound_cases

pytestmark = pytest.mark.sandbox

FOLDER = Path(__file__).resolve().parents[2] / "submissions"
OUTPUTS = yaml.safe_load((FOLDER / "unusual.yaml").read_text(encoding="utf-8"))
IMPORTS = "import math\nimport numpy as np\nimport torch\n"


@pytest.mark.parametrize("slug", sorted({entry["exercise"] for entry in OUTPUTS}))
def test_unusual_outputs_get_their_verdict(runner, slug):
    entries = [entry for entry in OUTPUTS if entry["exercise"] == slug]
    folder = read_exercise(FOLDER / "exercises" / slug)
    exercise = folder.definition["exercise"]
    seeds = draw_seeds("unusual", slug, folder.grading_hash, exercise["draws"])
    made = make_sound_cases(folder.definition, seeds, runner)

    outcomes = {
        entry["name"]: grade_code(runner, made.request(entry["name"], exercise, IMPORTS + entry["code"]), made.key)[0]
        for entry in entries
    }

    assert {name: _told(outcome) for name, outcome in outcomes.items()} == {
        entry["name"]: (entry["verdict"], entry.get("stage", "")) for entry in entries
    }


def test_there_are_many_of_each():
    found = Counter(entry["verdict"] == Verdict.ACCEPTED for entry in OUTPUTS)

    assert found[False] >= 30
    assert found[True] >= 20


def _told(outcome):
    """Verdict and stage; where all is accepted, the cause in place of the stage, which must not be there."""
    return outcome.verdict.value, str(outcome.feedback.stage or outcome.feedback.cause)
