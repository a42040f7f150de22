from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import QuerySet

from exercises.choices import Reason, Role
from exercises.models import BestScore, Course, Exercise, Grading, User
from exercises.queries.courses import shown_exercises
from graders.outcomes import Verdict

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """One student's best scores, in the order of the matrix's exercises; None where nothing was judged.

    `points` are scaled to those of the exercises.
    """

    student: User
    best: tuple[BestScore | None, ...]
    points: Decimal

    @property
    def solved(self) -> int:
        """How many exercises the student has solved."""
        return sum(score is not None and score.solved_at is not None for score in self.best)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMatrix:
    """A class at a glance: students × exercises."""

    exercises: tuple[Exercise, ...]
    rows: tuple[MatrixRow, ...]


def class_matrix(course: Course) -> ClassMatrix:
    """The best score of each student in each exercise, in three queries whatever the size of the class."""
    exercises = tuple(shown_exercises().filter(course=course))
    students = course.members.filter(memberships__course=course, memberships__role=Role.STUDENT)
    best = {(score.student_id, score.exercise_id): score for score in BestScore.objects.filter(exercise__course=course)}
    ordered = students.distinct().order_by("last_name", "first_name", "username")
    return ClassMatrix(exercises=exercises, rows=tuple(_row(student, exercises, best) for student in ordered))


def internal_errors(course: Course) -> QuerySet[Grading]:
    """What we failed to judge, the newest first; `fault` says why."""
    gradings = Grading.objects.filter(submission__exercise__course=course, verdict=Verdict.INTERNAL_ERROR)
    gradings = gradings.exclude(reason=Reason.DRY_RUN)
    return gradings.select_related("student", "submission__exercise").order_by("-pk")


def _row(student: User, exercises: tuple[Exercise, ...], best: dict[tuple[int, int], BestScore]) -> MatrixRow:
    scores = tuple(best.get((student.pk, exercise.pk)) for exercise in exercises)
    points = sum((_points(*pair) for pair in zip(exercises, scores, strict=True)), Decimal(0))
    return MatrixRow(student=student, best=scores, points=points.quantize(HUNDREDTH))


def _points(exercise: Exercise, score: BestScore | None) -> Decimal:
    if score is None or exercise.published is None:
        return Decimal(0)
    return score.share * exercise.published.points
