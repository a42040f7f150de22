from django.db.models import Max
from django.utils import timezone

from exercises.choices import ActivityKind, Shown
from exercises.models import Activity, Assignment, BestScore, Exercise, User
from exercises.queries.terms import assignments_with
from exercises.queries.windows import window_of


def hints_opened(student: User, exercise: Exercise) -> int:
    """How many hints the student has opened; they are opened one after another."""
    opened = Activity.objects.filter(student=student, exercise=exercise, kind=ActivityKind.HINT_OPENED)
    return opened.aggregate(last=Max("number"))["last"] or 0


def has_solved(student: User, exercise: Exercise) -> bool:
    """Whether a submission of the student was ever accepted."""
    return BestScore.objects.filter(student=student, exercise=exercise, solved_at__isnull=False).exists()


def may_view_solution(student: User, exercise: Exercise) -> bool:
    """Those who solved the exercise, and whoever gives up in a course without staff.

    Not before the assignments that hold it let it be seen: most of them do once they are closed.
    """
    if any(_withholds_solution(student, assignment) for assignment in assignments_with(exercise)):
        return False
    return exercise.course.self_paced or has_solved(student, exercise)


def _withholds_solution(student: User, assignment: Assignment) -> bool:
    shown = assignment.solutions_shown
    if shown == Shown.CLOSED:
        window, now = window_of(assignment, student), timezone.now()
        # One that never closes would never show anything.
        return window.closes_at is not None and not window.is_closed(now)
    if shown == Shown.RELEASED:
        return assignment.released_at is None
    return shown == Shown.NEVER
