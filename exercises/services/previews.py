"""The preview student of a course: as whom its staff see what students see, and hand in without counting."""

from __future__ import annotations

import secrets

from django.contrib.auth.hashers import make_password
from django.db import transaction

from exercises.choices import AuditAction, Role
from exercises.models import Course, Membership, User
from exercises.services.audit import record_action
from exercises.services.rights import require_staff


@transaction.atomic
def preview_student(course: Course, *, viewer: User) -> User:
    """The course's own preview student, made where there is none yet.

    The account is closed: nobody signs in as it. It is a member of this course alone, with a role that no list and no
    statistic of students counts.

    Raises: NotAllowedError where the viewer is not staff of the course.
    """
    require_staff(viewer, course)
    Course.objects.select_for_update(no_key=True).values_list("pk").get(pk=course.pk)
    found = User.objects.filter(memberships__course=course, memberships__role=Role.PREVIEW).first()
    if found is not None:
        return found
    made = User.objects.create(
        username=f"preview-{secrets.token_hex(6)}",
        first_name="Preview",
        last_name="student",
        password=make_password(None),
        is_active=False,
    )
    Membership.objects.create(course=course, user=made, role=Role.PREVIEW)
    return made


@transaction.atomic
def forget_preview(course: Course, *, viewer: User) -> None:
    """Remove the preview student with all that was done as them: the next one begins afresh, also quizzes.

    Raises: NotAllowedError where the viewer is not staff of the course.
    """
    require_staff(viewer, course)
    found = User.objects.filter(memberships__course=course, memberships__role=Role.PREVIEW)
    if found.exists():
        found.delete()
        record_action(course, AuditAction.PREVIEW_FORGOTTEN, actor=viewer, target=course.slug)
