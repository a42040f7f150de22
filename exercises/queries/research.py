"""Who lets research read what they did."""

from __future__ import annotations

from django.db.models import QuerySet

from exercises.choices import Role
from exercises.models import Course, Membership, User


def consenting_members(course: Course) -> QuerySet[Membership]:
    """The students of a course who have agreed, and have not taken it back."""
    return Membership.objects.filter(course=course, role=Role.STUDENT, research_consent_at__isnull=False)


def consents_of(student: User) -> QuerySet[Membership]:
    """The courses in which the person is asked, with what they have said there."""
    found = Membership.objects.filter(user=student, role=Role.STUDENT).select_related("course")
    return found.order_by("course__title", "pk")
