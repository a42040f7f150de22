"""Small sound courses and exercises to begin from, with the schemas by which editors complete and check."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from exercises.content.course import YAML_FILE as COURSE_FILE
from exercises.content.exercise import YAML_FILE as EXERCISE_FILE
from exercises.content.folders import read_folder
from exercises.content.schemas import SCHEMA_NAMES, schema_file
from exercises.content.yamlwriting import write_yaml

SCHEMA_FOLDER: Final = ".schema"
_BEGINNINGS: Final = Path(__file__).parent / "beginnings"
_LESSON: Final = _BEGINNINGS / "first-steps.md"


def beginning_of(kind: str) -> dict[str, bytes]:
    """The files of a small exercise of a kind, by their path within its folder. Raises: KeyError for an unknown one."""
    files = read_folder(_BEGINNINGS / kind).files
    if EXERCISE_FILE not in files:
        raise KeyError(kind)
    return dict(files)


def new_exercise_files(kind: str, schema: str) -> dict[str, bytes]:
    """The same for a folder; `schema` is the way from there to the folder of schemas. Raises: KeyError."""
    files = beginning_of(kind)
    return files | {EXERCISE_FILE: schema_line("exercise", schema) + files[EXERCISE_FILE]}


def new_course_files(title: str) -> dict[str, bytes]:
    """A course of one lesson and two exercises."""
    fields = {"title": title, "summary": "What it is about, in a sentence or two.", "lessons": [_LESSON.stem]}
    files = {
        COURSE_FILE: schema_line("course", SCHEMA_FOLDER) + write_yaml(fields).encode(),
        f"lessons/{_LESSON.name}": _LESSON.read_bytes(),
        **schema_files(),
    }
    for slug, kind in (("which-axis", "choice"), ("centred-rows", "code")):
        own = new_exercise_files(kind, f"../../{SCHEMA_FOLDER}")
        files |= {f"exercises/{slug}/{path}": content for path, content in own.items()}
    return files


def schema_files() -> dict[str, bytes]:
    """The schemas in a folder of their own, which is no part of a course."""
    return {f"{SCHEMA_FOLDER}/{name}.json": schema_file(name) for name in SCHEMA_NAMES}


def schema_line(name: str, folder: str) -> bytes:
    """What tells an editor by which schema a file is to be checked."""
    return f"# yaml-language-server: $schema={folder}/{name}.json\n".encode()
