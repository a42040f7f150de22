"""What authors work on: the files of an exercise, its head, its history."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from typing import Any

from django.db.models import QuerySet

from exercises.content import ContentError, ExerciseFolder, Problem, read_exercise_files
from exercises.content.writing import Stored, exercise_files, files_of_stored, stored_files
from exercises.models import Exercise, ExerciseVersion, Revision

BINARY = "Binary files differ\n"


def head_of(exercise: Exercise) -> Revision | None:
    """The working copy as it was saved last; None before the first save."""
    return exercise.revisions.filter(is_set_aside=False).first()


def history_of(exercise: Exercise) -> QuerySet[Revision]:
    """All saved copies without their files, the newest first, each with who saved it; those set aside too."""
    return exercise.revisions.select_related("saved_by").defer("files")


def files_of(kept: Revision | ExerciseVersion) -> dict[str, Stored]:
    """The files of a revision or a version, as `Revision.files`."""
    if isinstance(kept, Revision):
        return dict(kept.files)
    return stored_files(exercise_files(kept.definition))


def difference(older: Revision | ExerciseVersion, newer: Revision | ExerciseVersion) -> list[tuple[str, str]]:
    """The files that differ, by path, each with a unified diff; of binary files only that they do."""
    before, after = files_of(older), files_of(newer)
    differing = sorted(path for path in before | after if before.get(path) != after.get(path))
    return [(path, _diff(before.get(path, ""), after.get(path, ""), path)) for path in differing]


def problems_of(exercise: Exercise, files: Mapping[str, Any]) -> list[Problem]:
    """What must be mended before these files are an exercise; nothing where they are one."""
    try:
        read_working_copy(exercise, files)
    except ContentError as error:
        return error.problems
    return []


def read_working_copy(exercise: Exercise, files: Mapping[str, Any]) -> ExerciseFolder:
    """The exercise that these files (as `Revision.files`) are, with the pictures of its course.

    Raises:
        ContentError: they are none; with every problem.
    """
    assets = set(exercise.course.assets.values_list("path", flat=True))
    return read_exercise_files(exercise.slug, files_of_stored(files), assets=assets)


def _diff(before: Stored, after: Stored, path: str) -> str:
    if not isinstance(before, str) or not isinstance(after, str):
        return BINARY
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    marked = unified_diff(old, new, fromfile=path, tofile=path)
    # A last line without an end would run into the next one.
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in marked)
