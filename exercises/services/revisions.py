"""Working copies of exercises: made, saved, duplicated. Whatever was saved stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from exercises.choices import AuditAction
from exercises.content import ContentError
from exercises.content.fields import slug_problem
from exercises.content.files import LARGEST_BYTES
from exercises.content.writing import Stored, files_of_stored, stored_files
from exercises.errors import InvalidFieldError, NothingSavedError, StaleRevisionError
from exercises.models import Course, Exercise, Revision, User
from exercises.queries.working_copies import files_of, head_of, read_working_copy
from exercises.services.audit import record_action
from exercises.services.rights import require_instructor

MOST_FILES = 200
LARGEST_TOTAL_BYTES = 4 * 1024 * 1024
LONGEST_PATH = 200


@transaction.atomic
def create_exercise(course: Course, slug: str, *, files: Mapping[str, Any], author: User) -> Exercise:
    """A new exercise at the end of the course, with these files (as `Revision.files`) as its first working copy.

    Students see nothing of it until it is published.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the slug is none or is taken, or the files have the wrong form.
    """
    require_instructor(author, course)
    kept = checked_files(files)
    exercise = _new_exercise(course, slug)
    append_revision(exercise, kept, author=author)
    record_action(course, AuditAction.EXERCISE_CREATED, actor=author, target=slug)
    return exercise


@transaction.atomic
def duplicate_exercise(exercise: Exercise, slug: str, *, author: User) -> Exercise:
    """A new exercise of the course with the working copy of this one, else with what is published.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        NothingSavedError: there is nothing to duplicate.
        InvalidFieldError: the slug is none or is taken.
    """
    course = exercise.course
    require_instructor(author, course)
    kept = head_of(exercise) or exercise.published
    if kept is None:
        raise NothingSavedError("There is nothing yet that could be duplicated.")
    made = _new_exercise(course, slug)
    append_revision(made, files_of(kept), author=author)
    details = {"of": f"{course.slug}/{exercise.slug}"}
    record_action(course, AuditAction.EXERCISE_DUPLICATED, actor=author, target=slug, details=details)
    return made


def save_revision(exercise: Exercise, *, files: Mapping[str, Any], based_on: int, author: User) -> Revision:
    """Keep the files (as `Revision.files`) as the new head; `based_on` is the number of the head that was edited.

    Files that are no exercise yet are kept too. Saving what stands already changes nothing.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the files have the wrong form.
        StaleRevisionError: another author saved meanwhile. That head stands, these files are set aside.
    """
    require_instructor(author, exercise.course)
    kept = checked_files(files)
    with transaction.atomic():
        lock_exercise(exercise)
        head = head_of(exercise)
        if head is not None and head.files == kept:
            return head
        if head is None or head.number == based_on:
            return append_revision(exercise, kept, author=author, based_on=based_on)
        set_aside = _set_aside(exercise, kept, based_on, author)
    saver = head.saved_by or "The command line"
    raise StaleRevisionError(
        f"{saver} saved this exercise meanwhile. Your version is kept beside it: look at both, then save again.",
        head=head,
        set_aside=set_aside,
    )


def append_revision(
    exercise: Exercise,
    files: Mapping[str, Stored],
    *,
    author: User | None,
    based_on: int = 0,
    is_set_aside: bool = False,
) -> Revision:
    """The files as the exercise's next revision; the caller holds the exercise, or has just made it."""
    latest = exercise.revisions.order_by("-number").values_list("number", flat=True).first() or 0
    return Revision.objects.create(
        exercise=exercise,
        number=latest + 1,
        files=dict(files),
        based_on=based_on,
        is_set_aside=is_set_aside,
        saved_by=author,
        **_facts(exercise, files),
    )


def lock_exercise(exercise: Exercise) -> None:
    """Until the transaction ends, what authors do to this exercise is done one after another."""
    Exercise.objects.select_for_update(no_key=True).values_list("pk").get(pk=exercise.pk)


def checked_files(files: Any) -> dict[str, Stored]:
    """The files in the form in which they are kept.

    Raises:
        InvalidFieldError: a path or a content is none, or there is too much.
    """
    if not isinstance(files, Mapping) or len(files) > MOST_FILES:
        raise InvalidFieldError("files", f"The files are at most {MOST_FILES}, by their paths.")
    for path, content in files.items():
        if not _is_path(path) or not _is_content(content):
            raise InvalidFieldError("files", f"{str(path)[:LONGEST_PATH]!r} is no file of text or of base64.")
    try:
        plain = files_of_stored(files)
    except ValueError as error:
        raise InvalidFieldError("files", f"A file is neither text nor base64: {error}.") from error
    if too_large := [path for path, content in plain.items() if len(content) > LARGEST_BYTES]:
        raise InvalidFieldError("files", f"{too_large[0]} has more than {LARGEST_BYTES // 1024} KiB.")
    if sum(map(len, plain.values())) > LARGEST_TOTAL_BYTES:
        raise InvalidFieldError(
            "files", f"The files have more than {LARGEST_TOTAL_BYTES // 1024 // 1024} MiB together."
        )
    return stored_files(plain)


def _new_exercise(course: Course, slug: str) -> Exercise:
    if message := slug_problem(slug):
        raise InvalidFieldError("slug", f"The address of an exercise: {message}.")
    Course.objects.select_for_update(no_key=True).values_list("pk").get(pk=course.pk)
    if course.exercises.filter(slug=slug).exists():
        raise InvalidFieldError("slug", f"The course has an exercise called {slug} already.")
    last = course.exercises.order_by("-position").values_list("position", flat=True).first()
    return Exercise.objects.create(course=course, slug=slug, position=0 if last is None else last + 1)


def _set_aside(exercise: Exercise, files: Mapping[str, Stored], based_on: int, author: User) -> Revision:
    """The author's files beside the head; the same again are kept once."""
    mine = exercise.revisions.filter(saved_by=author, is_set_aside=True, based_on=based_on).first()
    if mine is not None and mine.files == dict(files):
        return mine
    return append_revision(exercise, files, author=author, based_on=based_on, is_set_aside=True)


def _facts(exercise: Exercise, files: Mapping[str, Stored]) -> dict[str, str]:
    """What lists show of a revision without reading it again."""
    try:
        folder = read_working_copy(exercise, files)
    except ContentError:
        return {}
    return {
        "kind": folder.kind,
        "title": folder.title,
        "content_hash": folder.content_hash,
        "grading_hash": folder.grading_hash,
    }


def _is_path(path: Any) -> bool:
    parts = path.split("/") if isinstance(path, str) and path.isprintable() else []
    return bool(parts) and len(path) <= LONGEST_PATH and not {"", ".", ".."} & set(parts)


def _is_content(content: Any) -> bool:
    if isinstance(content, Mapping):
        return set(content) == {"base64"} and isinstance(content["base64"], str)
    return isinstance(content, str) and content.encode(errors="ignore").decode() == content
