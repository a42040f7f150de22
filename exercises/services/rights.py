from __future__ import annotations

from exercises.choices import Role
from exercises.errors import NotAllowedError
from exercises.models import Course, User
from exercises.queries.courses import is_staff_of, may_create_courses, role_in


def require_staff(user: User, course: Course) -> None:
    """Raises: NotAllowedError where the user does not teach or assist in the course."""
    if not is_staff_of(user, course):
        raise NotAllowedError("Only the staff of a course may do this.")


def require_instructor(user: User, course: Course) -> None:
    """Raises: NotAllowedError where the user is no instructor of the course."""
    if role_in(user, course) != Role.INSTRUCTOR:
        raise NotAllowedError("Only an instructor of the course may do this.")


def require_course_maker(user: User) -> None:
    """Raises: NotAllowedError where the user may not make courses."""
    if not may_create_courses(user):
        raise NotAllowedError("Only those who teach a course, and administrators, may make a new one.")
