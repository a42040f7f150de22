"""The files of an exercise as fields of a form, and back."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from exercises.content import Problem
from exercises.content.beginning import beginning_of
from exercises.content.exercise import YAML_FILE
from exercises.content.kinds import KINDS
from exercises.content.writing import Stored, stored_files
from exercises.content.yamlediting import with_mistake
from exercises.content.yamltext import read_yaml
from exercises.errors import InvalidFieldError

FIELD, ADD = "file:", "add:"
ORDER = (YAML_FILE, "starter.py", "reference.py", "cases.py", "driver.py")
LANGUAGES = {"py": "python", "yaml": "yaml", "md": "markdown"}
LABELS = {
    YAML_FILE: "exercise.yaml",
    "starter.py": "starter",
    "reference.py": "reference",
    "cases.py": "cases",
    "driver.py": "driver",
}
FIRST_DRIVER = 'def drive(entry, case):\n    return entry(*case["args"], **case["kwargs"])\n'
LARGEST_UPLOAD_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTab:
    """A text of the exercise: `field` is the name of its input, `anchor` the id of its part of the page."""

    path: str
    label: str
    field: str
    anchor: str
    text: str
    language: str
    rows: int
    is_removable: bool
    problems: list[Problem]


@dataclass(frozen=True, slots=True, kw_only=True)
class BinaryFile:
    path: str
    size: str


def anchor_of(path: str) -> str:
    """The id of a file's part of the page."""
    return "file-" + "".join(character if character.isalnum() else "-" for character in path.lower())


def tabs_of(files: Mapping[str, Stored], problems: Iterable[Problem] = ()) -> list[FileTab]:
    """The texts in the order in which they are written, each with what is wrong in it."""
    found = list(problems)
    texts = {path: text for path, text in files.items() if isinstance(text, str)}
    return [
        FileTab(
            path=path,
            label=LABELS.get(path, path),
            field=FIELD + path,
            anchor=anchor_of(path),
            text=texts[path],
            language=LANGUAGES.get(path.rpartition(".")[2], ""),
            rows=min(max(texts[path].count("\n") + 2, 8), 30),
            is_removable=path != YAML_FILE,
            problems=[problem for problem in found if problem.file == path],
        )
        for path in sorted(texts, key=_place)
    ]


def binaries_of(files: Mapping[str, Stored]) -> list[BinaryFile]:
    """What is no text, with its size."""
    return [
        BinaryFile(path=path, size=_size(len(base64.b64decode(item["base64"]))))
        for path, item in sorted(files.items())
        if not isinstance(item, str)
    ]


def sent_files(request: HttpRequest, before: Mapping[str, Stored]) -> dict[str, Stored]:
    """The files of a form: its texts, and what of `before` a form cannot hold; without those to be removed.

    A text that differs from the one before in its line ends alone is the one before: forms change them.
    """
    removed = set(request.POST.getlist("remove"))
    texts = {name.removeprefix(FIELD): str(request.POST[name]) for name in request.POST if name.startswith(FIELD)}
    files: dict[str, Stored] = {path: item for path, item in before.items() if not isinstance(item, str)}
    files |= {path: _as_typed(text, before.get(path)) for path, text in texts.items()}
    return {path: item for path, item in files.items() if path not in removed}


def has_sent_files(request: HttpRequest) -> bool:
    """Whether the form holds the texts of an exercise."""
    return FIELD + YAML_FILE in request.POST


def missing_of(files: Mapping[str, Stored]) -> list[str]:
    """The files that an exercise of this kind needs and does not have."""
    text = files.get(YAML_FILE)
    value = read_yaml(text, YAML_FILE).value if isinstance(text, str) else None
    shape = KINDS.get(str(value.get("kind"))) if isinstance(value, dict) else None
    return [path for path in shape.files if path not in files] if shape else []


def with_addition(request: HttpRequest, files: dict[str, Stored], action: str) -> dict[str, Stored]:
    """The files with what a button adds: one that is missing, a driver, a mistake with its words, uploaded data.

    Raises:
        InvalidFieldError: something that it needs is missing or has the wrong form.
        ContentError: exercise.yaml cannot be read.
    """
    path = action.removeprefix(ADD)
    if action.startswith(ADD) and path in missing_of(files):
        return {**files, path: _beginning_of_file(files, path)}
    if action == "add-driver" and "driver.py" not in files:
        return {**files, "driver.py": FIRST_DRIVER}
    if action == "add-mistake":
        return _with_mistake(request, files)
    if action == "upload":
        return {**files, **_uploaded(request)}
    return files


def _beginning_of_file(files: Mapping[str, Stored], path: str) -> Stored:
    value = read_yaml(str(files[YAML_FILE]), YAML_FILE).value
    assert isinstance(value, dict)
    return stored_files(beginning_of(str(value["kind"])))[path]


def _with_mistake(request: HttpRequest, files: dict[str, Stored]) -> dict[str, Stored]:
    slug, title, feedback = (request.POST.get(name, "").strip() for name in ("slug", "title", "feedback"))
    path, reference, yaml = f"mistakes/{slug}.py", files.get("reference.py", ""), files.get(YAML_FILE, "")
    if not (slug and title and feedback):
        raise InvalidFieldError("slug", "A mistake needs a name, a title and what to tell the student.")
    if path in files:
        raise InvalidFieldError("slug", f"There is a mistake called {slug} already.")
    if not isinstance(yaml, str) or not isinstance(reference, str):
        raise InvalidFieldError("files", f"{YAML_FILE} is no text.")
    written = with_mistake(yaml, slug, title=title, feedback=feedback.replace("\r\n", "\n"), file=YAML_FILE)
    return {**files, YAML_FILE: written, path: reference}


def _uploaded(request: HttpRequest) -> dict[str, Stored]:
    uploads: list[Any] = request.FILES.getlist("upload")
    if not uploads:
        raise InvalidFieldError("upload", "Choose a file first.")
    if large := [file.name for file in uploads if file.size > LARGEST_UPLOAD_BYTES]:
        raise InvalidFieldError("upload", f"{large[0]} has more than {LARGEST_UPLOAD_BYTES // 1024} KiB.")
    return stored_files({f"data/{file.name}": file.read() for file in uploads})


def _as_typed(text: str, before: Stored | None) -> str:
    typed = text.replace("\r\n", "\n")
    if isinstance(before, str) and before.replace("\r\n", "\n") == typed:
        return before
    return typed


def _place(path: str) -> tuple[int, str]:
    return (ORDER.index(path) if path in ORDER else len(ORDER), path)


def _size(count: int) -> str:
    return f"{count / 1024:.3g} KiB"
