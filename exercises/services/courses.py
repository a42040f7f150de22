from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.db import transaction

from exercises.choices import AuditAction
from exercises.content.writing import exercise_files, stored_files
from exercises.models import Asset, Course, Exercise, Lesson, LessonExercise, User
from exercises.queries.soundness import certificate_of
from exercises.queries.working_copies import head_of
from exercises.services.audit import record_action
from exercises.services.certificates import store_certificate
from exercises.services.checks import start_check
from exercises.services.publishing import falls_short
from exercises.services.revisions import append_revision
from exercises.services.versions import put_in_place, version_of

if TYPE_CHECKING:
    from exercises.content.values import AssetFile, CourseFolder, ExerciseFolder, LessonFolder

Change = Literal["added", "changed", "unchanged", "saved", "retired"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseChanges:
    """What loading a folder did to each lesson and exercise, by slug.

    A `saved` exercise has the files as its working copy, and students see what they saw before. `unproven` says of each
    exercise that may not be called sound what is missing; `stale_certificates` names those whose certificate in the
    folder is of something else.
    """

    course: Course
    lessons: dict[str, Change]
    exercises: dict[str, Change]
    unproven: dict[str, str]
    stale_certificates: tuple[str, ...] = ()


@transaction.atomic
def load_course(folder: CourseFolder, *, loader: User | None = None, only_proven: bool = False) -> CourseChanges:
    """Make the course in the database what the folder says: all of it or nothing. Without `loader` the operator did it.

    A changed exercise gets a new version, which is published; one that is again as it once was gets that version back.
    With `only_proven` an exercise without a certificate, or with too low a mutation score, is only saved. What the
    folder lacks is retired: no longer shown, while its submissions stay.
    """
    course, _ = Course.objects.update_or_create(slug=folder.slug, defaults=_fields_of_course(folder))
    unproven: dict[str, str] = {}
    exercises: dict[str, Change] = {}
    for position, item in enumerate(folder.exercises):
        exercise = _found_or_made(course, item, position)
        if missing := what_is_missing(exercise, item):
            unproven[item.slug] = missing
        exercises[item.slug] = _load_exercise(exercise, item, loader, is_put_in_place=not (only_proven and missing))
        if loader is not None and not missing:
            _confirm_certificate(exercise, item, loader)
    lessons = {item.slug: put_lesson(course, item, position=n) for n, item in enumerate(folder.lessons)}
    _load_assets(course, folder.assets)
    changes = CourseChanges(
        course=course,
        exercises=exercises | _retire(Exercise, course, kept=exercises),
        lessons=lessons | _retire(Lesson, course, kept=lessons),
        unproven=unproven,
        stale_certificates=tuple(item.slug for item in folder.exercises if _has_stale_certificate(item)),
    )
    _record(changes, loader)
    return changes


def what_is_missing(exercise: Exercise, folder: ExerciseFolder) -> str:
    """Why an exercise may not be called sound; nothing where it is proven so."""
    certificate = certificate_of(exercise.pk, folder.grading_hash)
    if certificate is None:
        return "it has no certificate (check_exercise --write-certificates)"
    if falls_short(certificate, folder, exercise.course.required_score):
        score = certificate.mutation_score
        return f"its mutation score is {score:.2f}, and the course asks for {exercise.course.required_score:g}"
    return ""


def _confirm_certificate(exercise: Exercise, folder: ExerciseFolder, loader: User) -> None:
    """A certificate in an upload is its author's word: a check here confirms it, or withdraws it and tells them."""
    certificate = certificate_of(exercise.pk, folder.grading_hash)
    if certificate is not None and not certificate.report:
        start_check(exercise, author=loader)


def _record(changes: CourseChanges, loader: User | None) -> None:
    details = {
        noun: {slug: change for slug, change in changed.items() if change != "unchanged"}
        for noun, changed in (("lessons", changes.lessons), ("exercises", changes.exercises))
    }
    if any(details.values()):
        slug = changes.course.slug
        record_action(changes.course, AuditAction.COURSE_LOADED, actor=loader, target=slug, details=details)


def _fields_of_course(folder: CourseFolder) -> dict[str, Any]:
    return {
        "title": folder.title,
        "summary": folder.summary,
        "self_paced": folder.self_paced,
        "time_zone": folder.time_zone,
        "required_score": folder.mutation_score,
        "source": folder.source,
    }


def _found_or_made(course: Course, folder: ExerciseFolder, position: int) -> Exercise:
    """The exercise at its place, with the certificate that the folder has for it."""
    exercise = Exercise.objects.select_related("published").filter(course=course, slug=folder.slug).first()
    if exercise is None:
        exercise = Exercise.objects.create(course=course, slug=folder.slug, position=position)
    elif exercise.position != position:
        exercise.position = position
        exercise.save(update_fields=["position"])
    exercise.course = course
    _keep_certificate(exercise, folder)
    return exercise


def _load_exercise(exercise: Exercise, folder: ExerciseFolder, loader: User | None, *, is_put_in_place: bool) -> Change:
    before = None if exercise.is_retired else exercise.published
    is_new = not exercise.versions.exists() and not exercise.revisions.exists()
    is_saved = _keep_as_head(exercise, folder, loader)
    if not is_put_in_place and (before is None or before.content_hash != folder.content_hash):
        return _keep_unpublished(exercise, is_saved=is_saved)
    version = version_of(exercise, folder, author=loader)
    put_in_place(exercise, version)
    if is_new:
        return "added"
    return "unchanged" if version == before else "changed"


def _keep_unpublished(exercise: Exercise, *, is_saved: bool) -> Change:
    """The exercise back in the course, where it was retired, but with nothing new before students."""
    if exercise.is_retired:
        exercise.published, exercise.is_retired = None, False
        exercise.save(update_fields=["published", "is_retired"])
        return "saved"
    return "saved" if is_saved else "unchanged"


def _keep_as_head(exercise: Exercise, folder: ExerciseFolder, loader: User | None) -> bool:
    """Whether that changed anything.

    Authors in the browser go on from what was loaded; what they had saved stays in the history.
    """
    files, head = stored_files(exercise_files(folder.definition)), head_of(exercise)
    if head is not None and head.files == files:
        return False
    append_revision(exercise, files, author=loader, based_on=0 if head is None else head.number)
    return True


def _has_stale_certificate(folder: ExerciseFolder) -> bool:
    return folder.certificate is not None and folder.certificate.grading_hash != folder.grading_hash


def _keep_certificate(exercise: Exercise, folder: ExerciseFolder) -> None:
    written = folder.certificate
    if written is None or _has_stale_certificate(folder):
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
    # The clock brings nothing back that was put away.
    unscheduled = {"scheduled_version": None, "scheduled_at": None} if model is Exercise else {}
    missing.update(is_retired=True, **unscheduled)
    return dict.fromkeys(slugs, "retired")
