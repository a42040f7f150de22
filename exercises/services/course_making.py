from __future__ import annotations

from typing import TypedDict, Unpack
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.db import transaction

from exercises.choices import AuditAction, Role
from exercises.content.fields import slug_problem
from exercises.errors import InvalidFieldError
from exercises.models import Course, User
from exercises.services.audit import record_action
from exercises.services.members import enrol
from exercises.services.rights import require_course_maker, require_instructor


class CourseSettings(TypedDict, total=False):
    """What an instructor may set of a course, as in `Course`."""

    title: str
    summary: str
    self_paced: bool
    time_zone: str
    required_score: float
    keeps_better_score: bool


@transaction.atomic
def create_course(creator: User, *, slug: str, **settings: Unpack[CourseSettings]) -> Course:
    """A new course without lessons or exercises; its creator is its instructor.

    Raises:
        NotAllowedError: the person may not make courses.
        InvalidFieldError: a field has the wrong form, or the slug is taken.
    """
    require_course_maker(creator)
    if message := slug_problem(slug):
        raise InvalidFieldError("slug", f"The address of a course: {message}.")
    if Course.objects.filter(slug=slug).exists():
        raise InvalidFieldError("slug", f"There is a course called {slug} already.")
    course = _checked(Course(slug=slug, **settings))
    course.save()
    enrol(creator, course, role=Role.INSTRUCTOR)
    record_action(course, AuditAction.COURSE_CREATED, actor=creator, target=slug)
    return course


@transaction.atomic
def change_course(course: Course, *, author: User, **settings: Unpack[CourseSettings]) -> Course:
    """Set what is given, and leave the rest as it is.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: a field has the wrong form.
    """
    require_instructor(author, course)
    before = {name: getattr(course, name) for name in settings}
    for name, value in settings.items():
        setattr(course, name, value)
    changed = {name: [before[name], value] for name, value in settings.items() if before[name] != value}
    if changed:
        _checked(course).save(update_fields=list(changed))
        record_action(course, AuditAction.COURSE_CHANGED, actor=author, target=course.slug, details=changed)
    return course


def _checked(course: Course) -> Course:
    course.title = course.title.strip()
    if course.time_zone not in available_timezones():
        raise InvalidFieldError("time_zone", f"There is no time zone called {course.time_zone[:64]!r}.")
    try:
        course.clean_fields(exclude=["source"])
    except ValidationError as error:
        field, messages = next(iter(error.message_dict.items()))
        raise InvalidFieldError(field, messages[0]) from error
    return course
