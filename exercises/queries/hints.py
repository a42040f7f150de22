from exercises.models import Exercise, User
from exercises.queries.encounters import Encounter


def hints_opened(student: User, exercise: Exercise) -> int:
    """How many hints the student has opened; they are opened one after another."""
    return Encounter(student, exercise).hints_opened
