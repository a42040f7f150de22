from __future__ import annotations

from typing import Any, Final

from exercises.choices import AuditAction
from exercises.models import AuditEntry, Course, User

LONGEST_TARGET: Final = AuditEntry._meta.get_field("target").max_length or 0
"""In characters; what is longer is cut."""


def record_action(
    course: Course, action: AuditAction, *, actor: User | None, target: str, details: dict[str, Any] | None = None
) -> AuditEntry:
    """Keep in the record of the course who did what; without an actor it was the operator or the clock."""
    return AuditEntry.objects.create(
        course=course, actor=actor, action=action, target=target[:LONGEST_TARGET], details=details or {}
    )
