"""A whole course folder, format 1. Nothing in it is run; everything that is wrong is found at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import Field
from pydantic_core import PydanticCustomError

from exercises.content.assets import read_assets
from exercises.content.exercise import read_exercise_tree
from exercises.content.fields import Checked, Fields, Number, Slug, Title, count, describe, slug_problem, validate
from exercises.content.files import FileTree, unexpected
from exercises.content.folders import read_folder
from exercises.content.lesson import read_lesson
from exercises.content.problems import ContentError, Problem, inside
from exercises.content.values import DEFAULT_MUTATION_SCORE, CourseFolder, ExerciseFolder, LessonFolder
from exercises.content.yamltext import Document, read_yaml

YAML_FILE = "course.yaml"
FOLDERS = frozenset({YAML_FILE, "lessons", "assets", "exercises"})


def _is_time_zone(value: str) -> str:
    if value not in available_timezones():
        problem = f"expected a time zone such as Europe/Berlin, found {describe(value)}"
        raise PydanticCustomError("content", "{problem}", {"problem": problem})
    return value


class CourseFields(Fields):
    """course.yaml."""

    format: Literal[1] = 1
    """Version of the format: 1."""
    title: Title
    """What the course is called."""
    summary: str = ""
    """A sentence or two."""
    lessons: Annotated[tuple[Slug, ...], count(0, 500)]
    """Slugs in order; every file in lessons/ once."""
    self_paced: bool = False
    """Whether it is learned alone, without staff."""
    time_zone: Annotated[str, Checked(_is_time_zone, schema={"enum": sorted(available_timezones())})] = "UTC"
    """Such as Europe/Berlin."""
    mutation_score: Annotated[Number, Field(ge=0, le=1)] = DEFAULT_MUTATION_SCORE
    """Share of a reference's small changes that the cases of an exercise must refuse."""


def read_course(folder: Path) -> CourseFolder:
    """The course in `folder`, whose name is its slug.

    Raises: ContentError with every problem, files named from the folder itself.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise ContentError([Problem(file=str(folder.name), message="expected a course folder, found none")])
    return _read_tree(folder.name, read_folder(folder))


def read_course_files(slug: str, files: Mapping[str, bytes]) -> CourseFolder:
    """The course that these files are, by their path within its folder.

    Raises: ContentError with every problem.
    """
    return _read_tree(slug, FileTree.of(files))


def mutation_score_for(exercise: Path) -> float:
    """What the course around an exercise folder asks of it; the default where there is none that can be read."""
    file = exercise.resolve().parent.parent / YAML_FILE
    tree = FileTree.of({YAML_FILE: file.read_bytes()}) if file.is_file() else FileTree.of({})
    fields = course_fields_of(tree)[0]
    return DEFAULT_MUTATION_SCORE if fields is None else fields.mutation_score


def _read_tree(slug: str, tree: FileTree) -> CourseFolder:
    problems = unexpected(tree.entries(), FOLDERS)
    problems += [problem for name in FOLDERS - {YAML_FILE} for problem in tree.folder_problems(name)]
    if message := slug_problem(slug):
        problems.append(Problem(file=slug, field="slug", message=f"the folder's name is the slug: {message}"))
    fields, found = course_fields_of(tree)
    problems += found
    assets, found = read_assets(tree.within("assets"))
    problems += found
    shown = tree.within("assets").files
    exercises, found = _exercises(tree.within("exercises"), assets=shown)
    problems += found
    known = {path for path in tree.within("exercises").folders if "/" not in path}
    lessons, found = _lessons(tree.within("lessons"), exercises=known, assets={asset.path for asset in assets})
    problems += found
    if problems or fields is None:
        raise ContentError(problems)
    in_order = [lessons[slug] for slug in fields.lessons]
    return CourseFolder(
        slug=slug,
        title=fields.title,
        summary=fields.summary,
        self_paced=fields.self_paced,
        time_zone=fields.time_zone,
        mutation_score=fields.mutation_score,
        source=tree.files[YAML_FILE].decode(),
        lessons=tuple(in_order),
        exercises=_in_order(exercises, in_order),
        assets=tuple(assets),
    )


def course_fields_of(tree: FileTree) -> tuple[CourseFields | None, list[Problem]]:
    """The fields of course.yaml, and what is wrong with them."""
    text, problems = tree.text(YAML_FILE)
    if text is None:
        return None, problems
    document = read_yaml(text, YAML_FILE)
    fields, problems = validate(CourseFields, document, YAML_FILE)
    if not document.is_broken:
        problems += _listing(tree.within("lessons"), document)
    return fields, problems


def _listing(tree: FileTree, document: Document) -> list[Problem]:
    """Lessons listed twice, listed and missing, or there and not listed."""
    value = document.value if isinstance(document.value, dict) else {}
    listed = value.get("lessons")
    if not isinstance(listed, tuple):
        return []
    written = {name.removesuffix(".md") for name in tree.entries() if name.endswith(".md")}
    problems = []
    for position, slug in enumerate(listed):
        if not isinstance(slug, str) or slug_problem(slug):
            continue
        if slug in listed[:position]:
            message = (
                f'the lesson "{slug}" is listed twice, first in line {document.line(("lessons", listed.index(slug)))}'
            )
        elif slug not in written:
            message = f"expected the file lessons/{slug}.md, found none"
        else:
            continue
        line = document.line(("lessons", position))
        problems.append(Problem(file=YAML_FILE, line=line, field=f"lessons[{position + 1}]", message=message))
    for slug in sorted(written - set(listed)):
        message = f"expected this lesson under `lessons` in {YAML_FILE}, found it not listed"
        problems.append(Problem(file=f"lessons/{slug}.md", message=message))
    return problems


def _exercises(tree: FileTree, *, assets: Collection[str]) -> tuple[dict[str, ExerciseFolder], list[Problem]]:
    found: dict[str, ExerciseFolder] = {}
    problems: list[Problem] = []
    for name in tree.entries():
        if name not in tree.folders:
            problems += inside("exercises", tree.folder_problems(name))
            continue
        try:
            found[name] = read_exercise_tree(name, tree.within(name), assets=assets)
        except ContentError as error:
            problems += inside(f"exercises/{name}", error.problems)
    return found, problems


def _lessons(
    tree: FileTree, *, exercises: Collection[str], assets: Collection[str]
) -> tuple[dict[str, LessonFolder], list[Problem]]:
    found: dict[str, LessonFolder] = {}
    problems: list[Problem] = []
    for name in tree.entries():
        file, slug = f"lessons/{name}", name.removesuffix(".md")
        if slug == name:
            problems.append(Problem(file=file, message="unknown; expected here: <slug>.md"))
            continue
        if message := slug_problem(slug):
            problems.append(Problem(file=file, field="slug", message=f"the file's name is the slug: {message}"))
        try:
            found[slug] = read_lesson(name, tree, exercises=exercises, assets=assets)
        except ContentError as error:
            problems += inside("lessons", error.problems)
    return found, problems


def _in_order(exercises: dict[str, ExerciseFolder], lessons: list[LessonFolder]) -> tuple[ExerciseFolder, ...]:
    embedded = dict.fromkeys(slug for lesson in lessons for slug in lesson.exercises)
    return tuple(exercises[slug] for slug in dict.fromkeys([*embedded, *sorted(exercises)]))
