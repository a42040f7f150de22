"""When staff let students see what was judged, where an assignment waits for that."""

from __future__ import annotations

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from exercises.choices import AuditAction, Shown
from exercises.errors import InvalidFieldError
from exercises.models import Assignment, Notice, User
from exercises.services.audit import record_action
from exercises.services.rights import require_instructor


@transaction.atomic
def release_outcomes(assignment: Assignment, *, author: User) -> None:
    """Show from now on what waits for a release: outcomes, solutions, or both. Who handed in is told.

    Releasing once more changes nothing.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: nothing of this assignment waits for a release.
    """
    require_instructor(author, assignment.course)
    if Shown.RELEASED not in (assignment.outcomes_shown, assignment.solutions_shown):
        raise InvalidFieldError("released_at", "Nothing of this assignment waits for a release.")
    if not _locked(assignment, is_released=False):
        return
    assignment.released_at = timezone.now()
    assignment.save(update_fields=["released_at"])
    record_action(assignment.course, AuditAction.OUTCOMES_RELEASED, actor=author, target=assignment.slug)
    if assignment.outcomes_shown == Shown.RELEASED and not assignment.is_hidden:
        _tell(assignment)


@transaction.atomic
def take_back_release(assignment: Assignment, *, author: User) -> None:
    """Withhold again what was released; who has seen it has seen it. Taking back once more changes nothing.

    Raises:
        NotAllowedError: the author is no instructor of the course.
    """
    require_instructor(author, assignment.course)
    if not _locked(assignment, is_released=True):
        return
    assignment.released_at = None
    assignment.save(update_fields=["released_at"])
    record_action(assignment.course, AuditAction.RELEASE_TAKEN_BACK, actor=author, target=assignment.slug)


def _locked(assignment: Assignment, *, is_released: bool) -> bool:
    """Whether it is released, or not, as is said; until the transaction ends nobody else changes that."""
    found = Assignment.objects.select_for_update(no_key=True).filter(pk=assignment.pk)
    return found.filter(released_at__isnull=not is_released).exists()


def _tell(assignment: Assignment) -> None:
    url = reverse("learn:assignment", args=(assignment.course.slug, assignment.slug))
    text = f"“{assignment.title}”: what was judged is shown now."
    students = User.objects.filter(submissions__assignment=assignment, is_active=True).distinct()
    Notice.objects.bulk_create(Notice(user=student, text=text, url=url) for student in students)
