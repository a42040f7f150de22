"""The cases that an exercise is checked with: many draws, in groups as a submission gets them."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from exercises.content import ExerciseFolder
from exercises.draws import draw_seeds
from worker.checking.runners import Remembering
from worker.grading import Prepared, make_sound_cases
from worker.sandbox.job import Job, RunReport
from worker.solution import Runner
from worker.stored_cases import dump_cases

DRAWS: Final = 20
AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What the checks of a `code` or `script` exercise work on.

    `groups` are cases, each as one submission gets them; the listed mistakes were run on the first group alone, which
    is `made`. `drawn` are the jobs that drew cases, with what they gave.
    """

    folder: ExerciseFolder
    runner: Runner
    groups: tuple[Prepared, ...]
    drawn: tuple[tuple[Job, RunReport], ...]

    @property
    def made(self) -> Prepared:
        return self.groups[0]

    @property
    def exercise(self) -> Mapping[str, Any]:
        exercise: Mapping[str, Any] = self.folder.definition["exercise"]
        return exercise

    @property
    def is_training(self) -> bool:
        """Whether outputs are predictions, which are measured and not compared."""
        return bool(self.exercise.get("training"))

    @property
    def reference(self) -> str:
        return self.source("reference.py")

    def source(self, file: str) -> str:
        text: str = self.folder.definition["files"][file]
        return text


def draw_material(folder: ExerciseFolder, runner: Runner) -> Material:
    """Cases of at least 20 draws, with what the reference gives for them.

    Raises: CasesError (the author's code), SandboxError (ours).
    """
    remembering = Remembering(runner=runner)
    exercise = folder.definition["exercise"]
    draws = exercise.get("draws", 1)
    groups = -(-DRAWS // draws) if exercise["kind"] == "code" else 1
    seeds = draw_seeds("", folder.slug, folder.grading_hash, draws * groups)
    # The first by itself: where it fails, the others need not.
    first = make_sound_cases(folder.definition, seeds[:draws], remembering)
    dump_cases(first.cases)
    later = [seeds[group * draws : (group + 1) * draws] for group in range(1, groups)]
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        plain = _without_mistakes(folder.definition)
        others = pool.map(lambda seeds: make_sound_cases(plain, seeds, remembering), later)
        made = (first, *others)
    return Material(folder=folder, runner=runner, groups=made, drawn=tuple(remembering.drawn))


def _without_mistakes(definition: Mapping[str, Any]) -> dict[str, Any]:
    return {**definition, "exercise": {**definition["exercise"], "mistakes": {}}}
