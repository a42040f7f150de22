"""A word of staff to everyone in a course."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import reverse

from exercises.choices import ROLES_OF_PEOPLE, AuditAction
from exercises.errors import InvalidFieldError
from exercises.models import Course, Exercise, Notice, User
from exercises.services.audit import record_action
from exercises.services.rights import require_instructor

LONGEST_TEXT = 2000
ROWS_AT_ONCE = 500


@transaction.atomic
def announce(course: Course, *, author: User, text: Any, exercise: Exercise | None = None) -> int:
    """Put the text into the inbox of everyone else in the course, as to how many; it leads to the exercise, if given.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: the text is empty or too long, or the exercise is of another course.
    """
    require_instructor(author, course)
    if not isinstance(text, str) or "\0" in text or not text.strip() or len(text) > LONGEST_TEXT:
        raise InvalidFieldError("text", f"Write a text of at most {LONGEST_TEXT} characters.")
    url = reverse("learn:course", args=(course.slug,))
    if exercise is not None:
        if exercise.course_id != course.pk:
            raise InvalidFieldError("exercise", "This exercise is of another course.")
        url = reverse("learn:exercise", args=(course.slug, exercise.slug))
    members = course.memberships.filter(role__in=ROLES_OF_PEOPLE).exclude(user=author)
    said = f"“{course.title}”: {text.strip()}"
    notices = [Notice(user_id=pk, text=said, url=url) for pk in members.values_list("user_id", flat=True)]
    Notice.objects.bulk_create(notices, batch_size=ROWS_AT_ONCE)
    details = {"text": text.strip(), "members": len(notices)}
    target = exercise.slug if exercise else course.slug
    record_action(course, AuditAction.ANNOUNCED, actor=author, target=target, details=details)
    return len(notices)
