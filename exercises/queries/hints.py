from django.db.models import Max

from exercises.choices import ActivityKind
from exercises.models import Activity, BestScore, Exercise, User
from exercises.queries.best_scores import shown_best_scores


def hints_opened(student: User, exercise: Exercise) -> int:
    """How many hints the student has opened; they are opened one after another."""
    opened = Activity.objects.filter(student=student, exercise=exercise, kind=ActivityKind.HINT_OPENED)
    return opened.aggregate(last=Max("number"))["last"] or 0


def has_solved(student: User, exercise: Exercise) -> bool:
    """Whether a submission of the student was ever accepted, as far as they may know."""
    best = shown_best_scores(student, BestScore.objects.filter(exercise=exercise)).get(exercise.pk)
    return best is not None and best.solved_at is not None
