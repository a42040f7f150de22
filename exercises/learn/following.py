"""The exercise that a student is pointed to after another one."""

from __future__ import annotations

from dataclasses import dataclass

from exercises.choices import ActivityKind
from exercises.learn.rows import exercise_url
from exercises.models import Activity, BestScore, Exercise, User
from exercises.queries import exercises_shown_to
from exercises.queries.best_scores import shown_best_scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    title: str
    url: str


def following_exercise(student: User, exercise: Exercise) -> Following | None:
    """The next exercise of the course that is neither solved nor given up; after the last one the first such."""
    solved = [pk for pk, best in shown_best_scores(student, BestScore.objects.all()).items() if best.solved_at]
    given_up = Activity.objects.filter(student=student, kind=ActivityKind.GAVE_UP).values("exercise")
    others = exercises_shown_to(student).filter(course=exercise.course).exclude(pk=exercise.pk)
    left = others.exclude(pk__in=solved).exclude(pk__in=given_up).order_by("position")
    found = left.filter(position__gt=exercise.position).first() or left.first()
    if found is None or found.published is None:
        return None
    return Following(title=found.published.title, url=exercise_url(exercise.course, found))
