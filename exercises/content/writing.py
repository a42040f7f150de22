"""Files from what was read of them: byte by byte the same, or in a form of our own where there were none before."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from exercises.content.certificate import CERTIFICATE_FILE, write_certificate
from exercises.content.course import YAML_FILE as COURSE_FILE
from exercises.content.course import CourseFields, course_fields_of
from exercises.content.exercise import YAML_FILE as EXERCISE_FILE
from exercises.content.files import FileTree
from exercises.content.values import CertificateFile, CourseFolder
from exercises.content.yamlwriting import write_yaml

Stored = str | dict[str, str]
"""A file as JSON: its text, or {"base64": …} where it is none."""


def course_files(course: CourseFolder) -> dict[str, bytes]:
    """The files of a course by their path within its folder."""
    files = {COURSE_FILE: course.source.encode()}
    files |= {f"lessons/{lesson.slug}.md": lesson.source.encode() for lesson in course.lessons}
    files |= {f"assets/{asset.path}": asset.content for asset in course.assets}
    for exercise in course.exercises:
        own = exercise_files(exercise.definition, exercise.certificate)
        files |= {f"exercises/{exercise.slug}/{path}": content for path, content in own.items()}
    return dict(sorted(files.items()))


def exercise_files(definition: Mapping[str, Any], certificate: CertificateFile | None = None) -> dict[str, bytes]:
    """The files of an exercise, by their path within its folder, from its `definition`."""
    files = {EXERCISE_FILE: write_yaml(definition["exercise"]).encode()}
    for path, text in definition["files"].items():
        files[path] = base64.b64decode(text) if path.startswith("data/") else text.encode()
    files |= {path: base64.b64decode(content) for path, content in definition.get("raw", {}).items()}
    if certificate is not None:
        files[CERTIFICATE_FILE] = write_certificate(certificate)
    return dict(sorted(files.items()))


def course_yaml(fields: CourseFields, written: str = "") -> str:
    """course.yaml with these fields: as it was `written` before where that says the same, comments and all."""
    before = course_fields_of(FileTree.of({COURSE_FILE: written.encode()}))[0] if written else None
    if before is not None and before.model_dump() == fields.model_dump():
        return written
    return write_yaml(fields.model_dump(mode="json", exclude_defaults=True))


def stored_files(files: Mapping[str, bytes]) -> dict[str, Stored]:
    """Files as JSON that a database can hold."""
    return {path: _stored(content) for path, content in files.items()}


def files_of_stored(stored: Mapping[str, Stored]) -> dict[str, bytes]:
    """The files again, byte by byte."""
    return {
        path: item.encode() if isinstance(item, str) else base64.b64decode(item["base64"])
        for path, item in stored.items()
    }


def _stored(content: bytes) -> Stored:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = "\0"
    # No database can hold a NUL in a text.
    return {"base64": base64.b64encode(content).decode("ascii")} if "\0" in text else text
