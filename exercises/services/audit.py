from __future__ import annotations

from typing import Any

from exercises.choices import AuditAction
from exercises.models import AuditEntry, Course, User


def record_action(
    course: Course, action: AuditAction, *, actor: User | None, target: str, details: dict[str, Any] | None = None
) -> AuditEntry:
    """Keep in the record of the course who did what; without an actor it was the operator or the clock."""
    return AuditEntry.objects.create(
        course=course, actor=actor, action=action, target=target[:200], details=details or {}
    )
