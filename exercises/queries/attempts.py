from exercises.models import Attempt, Exercise, User


def attempts_left(student: User, exercise: Exercise) -> int | None:
    """How often the student may still hand in; None where there is no limit."""
    if exercise.max_attempts is None:
        return None
    used = Attempt.objects.filter(
        submission__student=student, submission__exercise=exercise, given_back_at=None
    ).count()
    return max(exercise.max_attempts - used, 0)
