from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.db import transaction

from exercises.content.writing import exercise_files, stored_files
from exercises.models import Asset, Course, Exercise, Lesson, LessonExercise
from exercises.queries.working_copies import head_of
from exercises.services.certificates import store_certificate
from exercises.services.revisions import append_revision
from exercises.services.versions import put_in_place, version_of

if TYPE_CHECKING:
    from exercises.content.values import AssetFile, CourseFolder, ExerciseFolder, LessonFolder

Change = Literal["added", "changed", "unchanged", "retired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseChanges:
    """What loading a folder did to each lesson and exercise, by slug."""

    course: Course
    lessons: dict[str, Change]
    exercises: dict[str, Change]


@transaction.atomic
def load_course(folder: CourseFolder) -> CourseChanges:
    """Make the course in the database what the folder says: all of it or nothing.

    A changed exercise gets a new version, which is published; one that is again as it once was gets that version back.
    What the folder lacks is retired: no longer shown, while its submissions stay.
    """
    course, _ = Course.objects.update_or_create(slug=folder.slug, defaults=_fields_of_course(folder))
    exercises = {item.slug: _load_exercise(course, item, position=n) for n, item in enumerate(folder.exercises)}
    lessons = {item.slug: put_lesson(course, item, position=n) for n, item in enumerate(folder.lessons)}
    _load_assets(course, folder.assets)
    return CourseChanges(
        course=course,
        exercises=exercises | _retire(Exercise, course, kept=exercises),
        lessons=lessons | _retire(Lesson, course, kept=lessons),
    )


def _fields_of_course(folder: CourseFolder) -> dict[str, Any]:
    return {
        "title": folder.title,
        "summary": folder.summary,
        "self_paced": folder.self_paced,
        "time_zone": folder.time_zone,
        "required_score": folder.mutation_score,
        "source": folder.source,
    }


def _load_exercise(course: Course, folder: ExerciseFolder, *, position: int) -> Change:
    exercise, is_new = Exercise.objects.select_related("published").get_or_create(course=course, slug=folder.slug)
    before = None if exercise.is_retired else exercise.published
    version = version_of(exercise, folder)
    exercise.position = position
    put_in_place(exercise, version)
    _keep_as_head(exercise, folder)
    _keep_certificate(exercise, folder)
    if is_new:
        return "added"
    return "unchanged" if version == before else "changed"


def _keep_as_head(exercise: Exercise, folder: ExerciseFolder) -> None:
    """Authors in the browser go on from what was loaded; what they had saved stays in the history."""
    files, head = stored_files(exercise_files(folder.definition)), head_of(exercise)
    if head is None or head.files != files:
        append_revision(exercise, files, author=None, based_on=0 if head is None else head.number)


def _keep_certificate(exercise: Exercise, folder: ExerciseFolder) -> None:
    written = folder.certificate
    if written is None or written.grading_hash != folder.grading_hash:
        return
    store_certificate(
        exercise,
        folder.grading_hash,
        checked_at=written.checked_at,
        mutation_score=written.mutation_score,
        mutants={str(fate): count for fate, count in written.mutants.items()},
        torch_version=written.torch_version,
    )


def put_lesson(course: Course, folder: LessonFolder, *, position: int) -> Change:
    """Make the lesson with this slug what was read, with the exercises that it embeds."""
    fields = {
        "position": position,
        "title": folder.title,
        "summary": folder.summary,
        "source": folder.source,
        "html": folder.html,
        "snippets": list(folder.snippets),
        "search_text": folder.search_text,
        "is_retired": False,
    }
    lesson = Lesson.objects.filter(course=course, slug=folder.slug).first()
    if lesson is None:
        _embed(Lesson.objects.create(course=course, slug=folder.slug, **fields), folder.exercises)
        return "added"
    is_changed = any(getattr(lesson, name) != value for name, value in fields.items())
    if is_changed:
        Lesson.objects.filter(pk=lesson.pk).update(**fields)
    _embed(lesson, folder.exercises)
    return "changed" if is_changed else "unchanged"


def _embed(lesson: Lesson, slugs: Iterable[str]) -> None:
    lesson.embedded.all().delete()
    by_slug = {exercise.slug: exercise for exercise in lesson.course.exercises.filter(slug__in=slugs)}
    LessonExercise.objects.bulk_create(
        LessonExercise(lesson=lesson, exercise=by_slug[slug], position=n) for n, slug in enumerate(slugs)
    )


def _load_assets(course: Course, files: Iterable[AssetFile]) -> None:
    by_path = {file.path: file for file in files}
    course.assets.exclude(path__in=by_path).delete()
    for path, file in by_path.items():
        if not course.assets.filter(path=path, digest=file.digest, media_type=file.media_type).exists():
            fields = {"digest": file.digest, "media_type": file.media_type, "content": file.content}
            Asset.objects.update_or_create(course=course, path=path, defaults=fields)


def _retire(model: type[Exercise] | type[Lesson], course: Course, *, kept: Iterable[str]) -> dict[str, Change]:
    missing = model._default_manager.filter(course=course, is_retired=False).exclude(slug__in=kept)
    slugs = list(missing.values_list("slug", flat=True))
    missing.update(is_retired=True)
    return dict.fromkeys(slugs, "retired")
