from __future__ import annotations

from collections.abc import Mapping

from django.db import IntegrityError, transaction

from exercises.choices import AuditAction, Role
from exercises.content import CourseFolder, read_course_files
from exercises.errors import InvalidFieldError
from exercises.models import Course, User
from exercises.queries.courses import is_staff_of, may_create_courses
from exercises.services.audit import record_action
from exercises.services.courses import CourseChanges, load_course
from exercises.services.members import enrol
from exercises.services.rights import require_instructor


def push_course(slug: str, *, files: Mapping[str, bytes], pusher: User) -> tuple[CourseChanges, bool]:
    """What pushing a course's files did, and whether the course is new; its pusher is then its instructor.

    Exercises that are proven sound are published, the others saved as working copies.

    Raises:
        Course.DoesNotExist: there is none that this person may know of, and they may not make it.
        NotAllowedError: they assist in it, and are no instructor.
        ContentError: something is wrong with the files. Nothing was changed.
        InvalidFieldError: somebody else made the course meanwhile.
    """
    is_new = require_right_to_push(slug, pusher=pusher) is None
    # Outside of the transaction: reading takes seconds, and the database has other writers.
    folder = read_course_files(slug, files)
    with transaction.atomic():
        if is_new:
            _make(folder, pusher)
        return load_course(folder, loader=pusher, only_proven=True), is_new


def require_right_to_push(slug: str, *, pusher: User) -> Course | None:
    """The course that would be changed, None where it would be made. Raises: as `push_course`."""
    course = Course.objects.filter(slug=slug).first()
    if course is None and may_create_courses(pusher):
        return None
    if course is None or not is_staff_of(pusher, course):
        raise Course.DoesNotExist
    require_instructor(pusher, course)
    return course


def _make(folder: CourseFolder, pusher: User) -> None:
    try:
        with transaction.atomic():
            course = Course.objects.create(slug=folder.slug, title=folder.title)
    except IntegrityError:
        raise InvalidFieldError("slug", f"Somebody else just made a course called {folder.slug}.") from None
    enrol(pusher, course, role=Role.INSTRUCTOR)
    record_action(course, AuditAction.COURSE_CREATED, actor=pusher, target=folder.slug)
