from exercises.models import Exercise, ExerciseVersion


def last_met_version(exercise: Exercise) -> ExerciseVersion | None:
    """The version that students meet or, where it was taken back, the last one there is."""
    return exercise.published or exercise.versions.last()


def is_corrected_since(exercise: Exercise, number: int) -> bool:
    """Whether what is published is judged otherwise than the version with this number, which somebody has open."""
    published = exercise.published
    if published is None or published.number == number:
        return False
    seen = exercise.versions.filter(number=number).values_list("grading_hash", flat=True).first()
    return seen is not None and seen != published.grading_hash
