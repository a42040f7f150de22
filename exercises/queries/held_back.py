"""Which exercises a student does not meet yet, since they wait in an assignment."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from exercises.choices import STAFF_ROLES
from exercises.models import AssignmentExercise, AssignmentStart, Extension, LessonExercise, Membership, User


def not_held_back(user: User) -> Q:
    """What picks the exercises that the user may meet by now, out of those of any course.

    Held back is what only assignments hold that have yet to open, be shown or, as quizzes, be started. What a lesson
    shows is no secret, and staff see everything. Of one exercise alone `Encounter.is_held_back` tells it.
    """
    here = {"exercise": OuterRef("pk")}
    held = AssignmentExercise.objects.filter(**here)
    in_lessons = LessonExercise.objects.filter(**here, lesson__is_retired=False)
    staff = Membership.objects.filter(course=OuterRef("course"), user=user, role__in=STAFF_ROLES)
    return Q(~Exists(held)) | Q(Exists(in_lessons)) | Q(Exists(_opened(held, user))) | Q(Exists(staff))


def _opened(items: QuerySet[AssignmentExercise], user: User) -> QuerySet[AssignmentExercise]:
    """Those whose assignment has opened for the user and, where it is a quiz, was started or is closed."""
    now, mine = timezone.now(), {"assignment": OuterRef("assignment"), "student": user}
    own_dates = Extension.objects.filter(**mine)
    own_closing, own_due = (Subquery(own_dates.values(name)[:1]) for name in ("closes_at", "due_at"))
    has_opened = Q(assignment__opens_at=None) | Q(assignment__opens_at__lte=now)
    # As in `windows.make_window`: nothing closes before it is due.
    is_closed = Q(closing__lte=now) & (Q(due=None) | Q(due__lte=now))
    has_begun = Q(assignment__is_quiz=False) | Q(Exists(AssignmentStart.objects.filter(**mine))) | is_closed
    dated = items.annotate(
        closing=Coalesce(own_closing, "assignment__closes_at"), due=Coalesce(own_due, "assignment__due_at")
    )
    return dated.filter(has_opened, has_begun, assignment__is_hidden=False)
