"""Who may open the pages of authors: the staff of a course. Assistants look; only instructors change something."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from exercises.choices import Role
from exercises.learn.access import member
from exercises.models import Course, Exercise
from exercises.queries import role_in, taught_courses


def course_of_staff(request: HttpRequest, slug: str) -> Course:
    """The course, for its staff; to others it does not exist.

    Raises:
        Course.DoesNotExist: there is none, or the person is not its staff.
    """
    return taught_courses(member(request)).get(slug=slug)


def course_to_change(request: HttpRequest, slug: str) -> Course:
    """The course, for its instructors.

    Raises:
        Course.DoesNotExist: there is none, or the person is not its staff.
        PermissionDenied: the person assists in it.
    """
    course = course_of_staff(request, slug)
    if not may_change(request, course):
        raise PermissionDenied
    return course


def exercise_of(course: Course, slug: str) -> Exercise:
    """An exercise of the course, published or not, put away or not. Raises: Exercise.DoesNotExist."""
    return course.exercises.select_related("published", "scheduled_version", "course").get(slug=slug)


def may_change(request: HttpRequest, course: Course) -> bool:
    """Whether the person is an instructor of the course."""
    return role_in(member(request), course) == Role.INSTRUCTOR
