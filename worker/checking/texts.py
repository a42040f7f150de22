"""Checks that an exercise explains itself once it is solved."""

from __future__ import annotations

from collections.abc import Iterator

from exercises.content import ExerciseFolder
from worker.checking.findings import Check, Finding


def text_findings(folder: ExerciseFolder) -> Iterator[Finding]:
    """Texts that are missing. Descriptions of pictures are asked for when the folder is read."""
    exercise = folder.definition["exercise"]
    if not exercise["explanation"].strip() and not str(exercise.get("model_answer", "")).strip():
        yield _finding("`explanation` is missing: what is shown when it is solved, given up or closed")
    if not exercise["hints"]:
        yield _finding("there is no hint", is_remark=True)


def _finding(message: str, *, is_remark: bool = False) -> Finding:
    return Finding(check=Check.TEXTS, message=message, file="exercise.yaml", is_remark=is_remark)
