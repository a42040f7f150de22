"""Grades files against an exercise folder, without database or broker."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from exercises.choices import CODE_KINDS
from exercises.content import ExerciseFolder
from exercises.draws import draw_seeds
from graders.errors import GraderError
from graders.outcomes import Outcome
from graders.questions.kinds import grade_response
from worker.grading import Prepared, grade_code, make_sound_cases
from worker.responses import SEED, read_response
from worker.solution import Runner

AT_ONCE: Final = 4
SOURCE_BYTES: Final = 256 * 1024


class FileError(Exception):
    """A file that cannot be graded: it is missing, too large, or no text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedFile:
    """A file with its outcome, what it printed while visible cases ran, and how long it took."""

    file: str
    outcome: Outcome
    stdout: str = ""
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The line that `grade --json` prints."""
        outcome = self.outcome.to_json()
        fields = {name: outcome[name] for name in ("verdict", "score", "max_score", "feedback", "cases")}
        return {"file": self.file, **fields, "stdout": self.stdout, "seconds": round(self.seconds, 4)}


def grade_files(
    folder: ExerciseFolder,
    files: Sequence[str],
    runner: Runner,
    *,
    seed: str | None = None,
    draws: Sequence[int] = (),
) -> Iterator[GradedFile]:
    """Each file's outcome, in order. Hidden cases are drawn from the grading hash, or from `seed`.

    `draws` are the seeds of the draws themselves, such as those of a site.

    Raises: FileError, CasesError (the author's code), SandboxError (ours).
    """
    sources = [_text(Path(file)) for file in files]
    if folder.kind not in CODE_KINDS:
        yield from (_graded_response(folder, file, text) for file, text in zip(files, sources, strict=True))
        return
    exercise = folder.definition["exercise"]
    seeds = draws or draw_seeds(seed or folder.grading_hash, folder.slug, folder.grading_hash, exercise.get("draws", 1))
    made = make_sound_cases(folder.definition, seeds, runner)
    with ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
        yield from pool.map(partial(_graded_source, exercise, made, runner), files, sources)


def _graded_source(exercise: dict[str, Any], made: Prepared, runner: Runner, file: str, source: str) -> GradedFile:
    started = time.perf_counter()
    outcome, report = grade_code(runner, made.request(f"file {file}", exercise, source), made.key)
    return GradedFile(file=file, outcome=outcome, stdout=report.stdout, seconds=time.perf_counter() - started)


def _graded_response(folder: ExerciseFolder, file: str, text: str) -> GradedFile:
    started = time.perf_counter()
    exercise = folder.definition["exercise"]
    try:
        outcome = grade_response(exercise, read_response(exercise, text), SEED)
    except GraderError as error:
        raise FileError(f"{file}: {error}") from error
    return GradedFile(file=file, outcome=outcome, seconds=time.perf_counter() - started)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from error
    if len(content) > SOURCE_BYTES:
        raise FileError(f"{path}: a submission has at most {SOURCE_BYTES} bytes, this has {len(content)}")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise FileError(f"{path}: expected text in UTF-8; byte {error.start} is none") from error
