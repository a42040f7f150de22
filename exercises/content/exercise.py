"""One exercise folder."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from exercises.content.datafiles import read_data
from exercises.content.fields import describe, slug_problem, validate
from exercises.content.files import entries, read_text, unexpected
from exercises.content.hashes import content_hash, grading_hash
from exercises.content.kinds import KINDS, Exercise
from exercises.content.markdown import render_fragment
from exercises.content.problems import ContentError, Problem
from exercises.content.values import ExerciseFolder
from exercises.content.yamltext import Document, dotted, read_yaml

YAML_FILE = "exercise.yaml"
_KINDS_IN_WORDS = ", ".join(f"`{kind}`" for kind in KINDS)


def read_exercise(folder: Path) -> ExerciseFolder:
    """The exercise in `folder`, whose name is its slug.

    Raises: ContentError with every problem, files named from the folder itself.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise ContentError([Problem(file=folder.name, message="expected a folder, found none")])
    problems = []
    if message := slug_problem(folder.name):
        problems.append(Problem(file=".", field="slug", message=f"the folder's name is the slug: {message}"))
    text, missing = read_text(folder / YAML_FILE, YAML_FILE)
    if text is None:
        raise ContentError(problems + missing)
    document = read_yaml(text, YAML_FILE)
    exercise, found = _exercise(document)
    problems += found
    files, found = _files(folder, _kind_of(document))
    problems += found
    if exercise is not None:
        problems += _between(exercise, document, files, folder)
    if problems or exercise is None:
        raise ContentError(problems)
    return _folder(folder.name, exercise, files)


def _folder(slug: str, exercise: Exercise, files: dict[str, str]) -> ExerciseFolder:
    definition: dict[str, Any] = {"exercise": exercise.model_dump(mode="json"), "files": files}
    return ExerciseFolder(
        slug=slug,
        kind=exercise.kind,
        title=exercise.title,
        points=Decimal(f"{exercise.points:.2f}"),
        definition=definition,
        content_hash=content_hash(definition),
        grading_hash=grading_hash(exercise, files),
    )


def _kind_of(document: Document) -> type[Exercise] | None:
    kind = document.value.get("kind") if isinstance(document.value, dict) else None
    return KINDS.get(kind) if isinstance(kind, str) else None


def _exercise(document: Document) -> tuple[Exercise | None, list[Problem]]:
    shape = _kind_of(document)
    if shape is not None or document.is_broken or not isinstance(document.value, dict):
        return validate(shape or Exercise, document, YAML_FILE)
    kind = document.value.get("kind")
    message = f"expected {_KINDS_IN_WORDS}, found {describe(kind)}"
    problem = Problem(file=YAML_FILE, line=document.line(("kind",)), field="kind", message=message)
    return None, [*document.problems, problem]


def _files(folder: Path, shape: type[Exercise] | None) -> tuple[dict[str, str], list[Problem]]:
    """The texts of the exercise's files by their path; with an unknown kind none is asked for."""
    if shape is None:
        return {}, []
    known = frozenset({YAML_FILE, *shape.files, *shape.optional_files})
    present = entries(folder)
    problems = unexpected(present, known)
    wanted = [*shape.files, *(path.name for path in present if path.name == "driver.py" and path.name in known)]
    if "mistakes" in known:
        listed = entries(folder / "mistakes")
        problems += _misnamed(listed)
        wanted += [f"mistakes/{path.name}" for path in listed if path.suffix == ".py"]
    files: dict[str, str] = {}
    for file in wanted:
        text, found = read_text(folder / file, file)
        problems += found
        if text is not None:
            files[file] = text
            problems += _blank(file, text)
    if "data" in known:
        data, found = read_data(folder / "data")
        files |= data
        problems += found
    return files, problems


def _misnamed(paths: list[Path]) -> list[Problem]:
    problems = []
    for path in paths:
        file = f"mistakes/{path.name}"
        if path.suffix != ".py":
            problems.append(Problem(file=file, message="unknown; expected here: <slug>.py"))
        elif message := slug_problem(path.stem):
            problems.append(Problem(file=file, field="slug", message=f"the file's name is the slug: {message}"))
    return problems


def _blank(file: str, text: str) -> list[Problem]:
    # A starter may be empty: some exercises begin with a blank page.
    if text.strip() or file == "starter.py":
        return []
    return [Problem(file=file, message="expected code, found an empty file")]


def _between(exercise: Exercise, document: Document, files: dict[str, str], folder: Path) -> Iterator[Problem]:
    """What is wrong between fields, between fields and files, and in the Markdown."""
    for path, message in exercise.remarks():
        yield Problem(file=YAML_FILE, line=document.line(path), field=dotted(path), message=message)
    yield from _mistakes(exercise, document, files)
    if "driver.py" in files and getattr(exercise, "gradients", None):
        message = "expected no driver.py beside `gradients`, found both: a driver makes calls in its own way"
        yield Problem(file=YAML_FILE, line=document.line(("gradients",)), field="gradients", message=message)
    for path, text in exercise.texts():
        rendered = render_fragment(text)
        findings = [*rendered.findings]
        findings += [
            (line, f"expected the picture assets/{asset}, found none")
            for asset, line in rendered.assets
            if not (folder.parent.parent / "assets" / asset).is_file()
        ]
        first = document.text_lines.get(path, document.line(path))
        for line, message in findings:
            yield Problem(file=YAML_FILE, line=first + line - 1, field=dotted(path), message=message)


def _mistakes(exercise: Exercise, document: Document, files: dict[str, str]) -> Iterator[Problem]:
    named = getattr(exercise, "mistakes", {})
    written = {file.removeprefix("mistakes/").removesuffix(".py") for file in files if file.startswith("mistakes/")}
    for slug in named:
        if slug not in written:
            path = ("mistakes", slug)
            message = f"expected the file mistakes/{slug}.py, found none"
            yield Problem(file=YAML_FILE, line=document.line(path), field=dotted(path), message=message)
    for slug in sorted(written - set(named)):
        message = f"expected its title and feedback in {YAML_FILE} under `mistakes.{slug}`, found none"
        yield Problem(file=f"mistakes/{slug}.py", message=message)
