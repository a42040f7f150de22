"""The exercise that a student is pointed to after another one."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, When

from exercises.choices import ActivityKind
from exercises.learn.rows import exercise_url
from exercises.models import Activity
from exercises.queries import Encounter, exercises_shown_to


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    title: str
    url: str


def following_exercise(met: Encounter) -> Following | None:
    """The next exercise of the course that is neither solved nor given up; after the last one the first such."""
    student, exercise = met.person, met.exercise
    solved = [pk for pk, best in met.scores.items() if best.solved_at]
    given_up = Activity.objects.filter(student=student, kind=ActivityKind.GAVE_UP).values("exercise")
    others = exercises_shown_to(student).filter(course=exercise.course).exclude(pk=exercise.pk)
    left = others.exclude(pk__in=solved).exclude(pk__in=given_up)
    is_before = Case(When(position__gt=exercise.position, then=0), default=1)
    found = left.order_by(is_before, "position").first()
    if found is None or found.published is None:
        return None
    return Following(title=found.published.title, url=exercise_url(exercise.course, found))
