"""Consent of students that research reads what they did, and exports for it."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from exercises.choices import AuditAction, Role
from exercises.models import Course, Membership, User
from exercises.queries.research import consenting_members
from exercises.services.audit import record_action
from exercises.services.rights import require_instructor


@transaction.atomic
def set_research_consent(student: User, course_slug: str, *, agrees: bool) -> Membership:
    """Keep that the student agrees, since when, or does not; agreeing again keeps the earlier moment.

    Raises: Membership.DoesNotExist where they are no student of such a course.
    """
    mine = Membership.objects.select_for_update().filter(user=student, role=Role.STUDENT)
    membership = mine.get(course__slug=course_slug)
    if agrees != (membership.research_consent_at is not None):
        membership.research_consent_at = timezone.now() if agrees else None
        membership.save(update_fields=["research_consent_at"])
    return membership


@transaction.atomic
def begin_research_export(course: Course, *, author: User) -> int:
    """Put on record that an export is made, and of how many students.

    Raises: NotAllowedError where the author is no instructor of the course.
    """
    require_instructor(author, course)
    students = consenting_members(course).count()
    record_action(
        course,
        AuditAction.RESEARCH_EXPORTED,
        actor=author,
        target=course.slug,
        details={"students": students},
    )
    return students
