"""One exercise folder."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from exercises.content.certificate import CERTIFICATE_FILE, read_certificate
from exercises.content.datafiles import read_data
from exercises.content.fields import describe, slug_problem, validate
from exercises.content.files import FileTree, unexpected
from exercises.content.folders import read_folder
from exercises.content.hashes import content_hash, grading_hash
from exercises.content.kinds import KINDS, Exercise
from exercises.content.markdown import render_fragment
from exercises.content.problems import ContentError, Problem
from exercises.content.values import CertificateFile, ExerciseFolder
from exercises.content.yamltext import Document, dotted, read_yaml

YAML_FILE = "exercise.yaml"
_KINDS_IN_WORDS = ", ".join(f"`{kind}`" for kind in KINDS)


def read_exercise(folder: Path) -> ExerciseFolder:
    """The exercise in `folder`, whose name is its slug. Pictures are those of the course around it.

    Raises: ContentError with every problem, files named from the folder itself.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise ContentError([Problem(file=folder.name, message="expected a folder, found none")])
    assets = read_folder(folder.parent.parent / "assets").files
    return read_exercise_tree(folder.name, read_folder(folder), assets=assets)


def read_exercise_files(slug: str, files: Mapping[str, bytes], *, assets: Collection[str] = ()) -> ExerciseFolder:
    """The exercise that these files are, by their path within its folder; `assets` are those that it may show.

    Raises: ContentError with every problem.
    """
    return read_exercise_tree(slug, FileTree.of(files), assets=assets)


def read_exercise_tree(slug: str, tree: FileTree, *, assets: Collection[str]) -> ExerciseFolder:
    """As `read_exercise_files`. Raises: ContentError with every problem."""
    problems = []
    if message := slug_problem(slug):
        problems.append(Problem(file=".", field="slug", message=f"the folder's name is the slug: {message}"))
    text, missing = tree.text(YAML_FILE)
    if text is None:
        raise ContentError(problems + missing)
    document = read_yaml(text, YAML_FILE)
    exercise, found = _exercise(document)
    problems += found
    files, found = _files(tree, _kind_of(document))
    problems += found
    if exercise is not None:
        problems += _between(exercise, document, files, assets)
    certificate, found = read_certificate(tree)
    problems += found
    if problems or exercise is None:
        raise ContentError(problems)
    return _folder(slug, exercise, tree, files={YAML_FILE: text, **files}, certificate=certificate)


def _folder(
    slug: str, exercise: Exercise, tree: FileTree, *, files: dict[str, str], certificate: CertificateFile | None
) -> ExerciseFolder:
    definition: dict[str, Any] = {"exercise": exercise.model_dump(mode="json"), "files": files}
    if raw := _raw(tree, files):
        definition["raw"] = raw
    return ExerciseFolder(
        slug=slug,
        kind=exercise.kind,
        title=exercise.title,
        points=Decimal(f"{exercise.points:.2f}"),
        definition=definition,
        content_hash=content_hash(definition),
        grading_hash=grading_hash(exercise, files),
        certificate=certificate,
    )


def _raw(tree: FileTree, files: dict[str, str]) -> dict[str, str]:
    """The bytes, in base64, of texts with other line ends than ours: what is exported is what was read."""
    texts = {path: text for path, text in files.items() if not path.startswith("data/")}
    return {
        path: base64.b64encode(tree.files[path]).decode("ascii")
        for path, text in texts.items()
        if tree.files[path] != text.encode()
    }


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


def _files(tree: FileTree, shape: type[Exercise] | None) -> tuple[dict[str, str], list[Problem]]:
    """The texts of the exercise's files by their path; with an unknown kind none is asked for."""
    if shape is None:
        return {}, []
    known = frozenset({YAML_FILE, *shape.files, *shape.optional_files})
    present = [name for name in tree.entries() if name != CERTIFICATE_FILE]
    problems = unexpected(present, known)
    wanted = [*shape.files, *(name for name in present if name == "driver.py" and name in known)]
    if "mistakes" in known:
        listed = tree.within("mistakes").entries()
        problems += tree.folder_problems("mistakes") + _misnamed(listed)
        wanted += [f"mistakes/{name}" for name in listed if name.endswith(".py")]
    files: dict[str, str] = {}
    for file in wanted:
        text, found = tree.text(file)
        problems += found
        if text is not None:
            files[file] = text
            problems += _blank(file, text)
    if "data" in known:
        data, found = read_data(tree.within("data"))
        files |= data
        problems += tree.folder_problems("data") + found
    return files, problems


def _misnamed(names: list[str]) -> list[Problem]:
    problems = []
    for name in names:
        file = f"mistakes/{name}"
        if not name.endswith(".py"):
            problems.append(Problem(file=file, message="unknown; expected here: <slug>.py"))
        elif message := slug_problem(name.removesuffix(".py")):
            problems.append(Problem(file=file, field="slug", message=f"the file's name is the slug: {message}"))
    return problems


def _blank(file: str, text: str) -> list[Problem]:
    # A starter may be empty: some exercises begin with a blank page.
    if text.strip() or file == "starter.py":
        return []
    return [Problem(file=file, message="expected code, found an empty file")]


def _between(
    exercise: Exercise, document: Document, files: dict[str, str], assets: Collection[str]
) -> Iterator[Problem]:
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
            if asset not in assets
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
