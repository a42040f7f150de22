"""Who is in a course: its members and their sections."""

from __future__ import annotations

from django.db.models import QuerySet

from exercises.choices import ROLES_OF_PEOPLE, Role
from exercises.models import Course, Membership


def members_of(course: Course, *, section: str | None = None, role: str | None = None) -> QuerySet[Membership]:
    """The people of a course by name, without its preview student; of a section or a role where one is given."""
    found = course.memberships.filter(role__in=ROLES_OF_PEOPLE).select_related("user")
    found = found if section is None else found.filter(section=section)
    found = found if role is None else found.filter(role=role)
    return found.order_by("user__last_name", "user__first_name", "user__username")


def sections_of(course: Course) -> list[str]:
    """The names of the sections that students are in."""
    named = course.memberships.filter(role=Role.STUDENT).exclude(section="")
    return list(named.order_by("section").values_list("section", flat=True).distinct())
