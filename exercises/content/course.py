"""A whole course folder, format 1. Nothing in it is run; everything that is wrong is found at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import available_timezones

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from exercises.content.assets import read_assets
from exercises.content.exercise import read_exercise
from exercises.content.fields import Fields, Number, Slug, Title, count, describe, slug_problem, validate
from exercises.content.files import entries, read_text, unexpected
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
    title: Title
    summary: str = ""
    lessons: Annotated[tuple[Slug, ...], count(1, 500)]
    self_paced: bool = False
    time_zone: Annotated[str, AfterValidator(_is_time_zone)] = "UTC"
    mutation_score: Annotated[Number, Field(ge=0, le=1)] = DEFAULT_MUTATION_SCORE


def read_course(folder: Path) -> CourseFolder:
    """The course in `folder`, whose name is its slug.

    Raises: ContentError with every problem, files named from the folder itself.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise ContentError([Problem(file=str(folder.name), message="expected a course folder, found none")])
    problems = unexpected(entries(folder), FOLDERS)
    if message := slug_problem(folder.name):
        problems.append(Problem(file=folder.name, field="slug", message=f"the folder's name is the slug: {message}"))
    fields, found = _course_fields(folder)
    problems += found
    assets, found = read_assets(folder / "assets")
    problems += found
    exercises, found = _exercises(folder / "exercises")
    problems += found
    known = {path.name for path in entries(folder / "exercises") if path.is_dir()}
    lessons, found = _lessons(folder / "lessons", exercises=known, assets={asset.path for asset in assets})
    problems += found
    if problems or fields is None:
        raise ContentError(problems)
    in_order = [lessons[slug] for slug in fields.lessons]
    return CourseFolder(
        slug=folder.name,
        title=fields.title,
        summary=fields.summary,
        self_paced=fields.self_paced,
        time_zone=fields.time_zone,
        mutation_score=fields.mutation_score,
        lessons=tuple(in_order),
        exercises=_in_order(exercises, in_order),
        assets=tuple(assets),
    )


def mutation_score_for(exercise: Path) -> float:
    """What the course around an exercise folder asks of it; the default where there is none that can be read."""
    course = exercise.resolve().parent.parent
    fields = _course_fields(course)[0] if (course / YAML_FILE).is_file() else None
    return DEFAULT_MUTATION_SCORE if fields is None else fields.mutation_score


def _course_fields(folder: Path) -> tuple[CourseFields | None, list[Problem]]:
    text, problems = read_text(folder / YAML_FILE, YAML_FILE)
    if text is None:
        return None, problems
    document = read_yaml(text, YAML_FILE)
    fields, problems = validate(CourseFields, document, YAML_FILE)
    if not document.is_broken:
        problems += _listing(folder / "lessons", document)
    return fields, problems


def _listing(folder: Path, document: Document) -> list[Problem]:
    """Lessons listed twice, listed and missing, or there and not listed."""
    value = document.value if isinstance(document.value, dict) else {}
    listed = value.get("lessons")
    if not isinstance(listed, tuple):
        return []
    written = {path.stem for path in entries(folder) if path.suffix == ".md"}
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


def _exercises(folder: Path) -> tuple[dict[str, ExerciseFolder], list[Problem]]:
    found: dict[str, ExerciseFolder] = {}
    problems: list[Problem] = []
    for path in entries(folder):
        if path.is_symlink() or not path.is_dir():
            message = f"expected a folder, found a {'link' if path.is_symlink() else 'file'}"
            problems.append(Problem(file=f"exercises/{path.name}", message=message))
            continue
        try:
            found[path.name] = read_exercise(path)
        except ContentError as error:
            problems += inside(f"exercises/{path.name}", error.problems)
    return found, problems


def _lessons(folder: Path, *, exercises: set[str], assets: set[str]) -> tuple[dict[str, LessonFolder], list[Problem]]:
    found: dict[str, LessonFolder] = {}
    problems: list[Problem] = []
    for path in entries(folder):
        file = f"lessons/{path.name}"
        if path.suffix != ".md":
            problems.append(Problem(file=file, message="unknown; expected here: <slug>.md"))
            continue
        if message := slug_problem(path.stem):
            problems.append(Problem(file=file, field="slug", message=f"the file's name is the slug: {message}"))
        try:
            found[path.stem] = read_lesson(path, exercises=exercises, assets=assets)
        except ContentError as error:
            problems += inside("lessons", error.problems)
    return found, problems


def _in_order(exercises: dict[str, ExerciseFolder], lessons: list[LessonFolder]) -> tuple[ExerciseFolder, ...]:
    embedded = dict.fromkeys(slug for lesson in lessons for slug in lesson.exercises)
    return tuple(exercises[slug] for slug in dict.fromkeys([*embedded, *sorted(exercises)]))
