"""How much each assignment counts in the gradebook of a course."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django.db import transaction

from exercises.choices import AuditAction
from exercises.errors import InvalidFieldError
from exercises.models import Assignment, Course, User
from exercises.services.audit import record_action
from exercises.services.rights import require_instructor

MOST_DROPPED = 50
LARGEST_WEIGHT = Decimal(1000)


@transaction.atomic
def set_grade_rules(course: Course, *, author: User, weights: Mapping[int, Decimal], dropped_lowest: int) -> None:
    """Set how many of a student's worst assignments are left out, and the weights of those named by id.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: a number is out of bounds, or an assignment is not of this course.
    """
    require_instructor(author, course)
    if not 0 <= dropped_lowest <= MOST_DROPPED:
        raise InvalidFieldError("dropped_lowest", f"The number of dropped assignments must be 0 to {MOST_DROPPED}.")
    assignments = {row.pk: row for row in course.assignments.all()}
    changed: dict[str, list[object]] = {}
    for pk, weight in weights.items():
        if pk not in assignments or not 0 <= weight <= LARGEST_WEIGHT:
            raise InvalidFieldError("weights", f"A weight must be 0 to {LARGEST_WEIGHT}, of an assignment here.")
        if assignments[pk].weight != weight:
            changed[assignments[pk].slug] = [str(assignments[pk].weight), str(weight)]
            Assignment.objects.filter(pk=pk).update(weight=weight)
    if course.dropped_lowest != dropped_lowest:
        changed["dropped lowest"] = [course.dropped_lowest, dropped_lowest]
        course.dropped_lowest = dropped_lowest
        course.save(update_fields=["dropped_lowest"])
    if changed:
        record_action(course, AuditAction.GRADE_RULES_SET, actor=author, target=course.slug, details=changed)
