"""Lessons as authors write them in the browser. What is saved is what students read from then on."""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import transaction

from exercises.choices import AuditAction
from exercises.content.fields import slug_problem
from exercises.content.files import FileTree
from exercises.content.lesson import read_lesson
from exercises.content.values import LessonFolder
from exercises.errors import InvalidFieldError, StaleLessonError
from exercises.models import Course, Lesson, User
from exercises.services.audit import record_action
from exercises.services.courses import put_lesson
from exercises.services.rights import require_instructor


def lesson_digest(source: str) -> str:
    """What a page remembers of the text that it showed."""
    return hashlib.sha256(source.encode()).hexdigest()


def read_written_lesson(course: Course, slug: str, source: str) -> LessonFolder:
    """The lesson that a text is, with the exercises and pictures of its course.

    Raises: ContentError with every problem.
    """
    exercises = set(course.exercises.filter(is_retired=False).values_list("slug", flat=True))
    assets = set(course.assets.values_list("path", flat=True))
    tree = FileTree.of({f"{slug}.md": source.encode(errors="replace")})
    return read_lesson(f"{slug}.md", tree, exercises=exercises, assets=assets)


@transaction.atomic
def create_lesson(course: Course, slug: str, *, source: str, author: User) -> Lesson:
    """A new lesson at the end of the course; or one that was put away, with a new text.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the slug is none or is taken.
        ContentError: the text has problems.
    """
    require_instructor(author, course)
    if message := slug_problem(slug):
        raise InvalidFieldError("slug", f"The address of a lesson: {message}.")
    _lock(course)
    if course.lessons.filter(slug=slug, is_retired=False).exists():
        raise InvalidFieldError("slug", f"The course has a lesson called {slug} already.")
    last = course.lessons.order_by("-position").values_list("position", flat=True).first()
    return _put(course, slug, source, author=author, position=0 if last is None else last + 1)


@transaction.atomic
def save_lesson(lesson: Lesson, *, source: str, seen: Any, author: User) -> Lesson:
    """Put a new text in place of the one with the digest `seen`.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        StaleLessonError: another one stands there by now.
        ContentError: the text has problems.
    """
    require_instructor(author, lesson.course)
    _lock(lesson.course)
    lesson.refresh_from_db()
    if source == lesson.source:
        return lesson
    if seen != lesson_digest(lesson.source):
        raise StaleLessonError("Somebody saved this lesson meanwhile. Yours is still in the page; look at both first.")
    return _put(lesson.course, lesson.slug, source, author=author, position=lesson.position)


@transaction.atomic
def retire_lesson(lesson: Lesson, *, author: User) -> None:
    """Show the lesson no longer. Raises: NotAllowedError where the author is no instructor of the course."""
    require_instructor(author, lesson.course)
    Lesson.objects.filter(pk=lesson.pk).update(is_retired=True)
    record_action(lesson.course, AuditAction.LESSON_RETIRED, actor=author, target=lesson.slug)


def _put(course: Course, slug: str, source: str, *, author: User, position: int) -> Lesson:
    folder = read_written_lesson(course, slug, source)
    put_lesson(course, folder, position=position)
    record_action(course, AuditAction.LESSON_SAVED, actor=author, target=slug)
    return course.lessons.get(slug=slug)


def _lock(course: Course) -> None:
    Course.objects.select_for_update(no_key=True).values_list("pk").get(pk=course.pk)
