from typing import Any

from exercises.models import Exercise


def definition_of(exercise: Exercise) -> dict[str, Any]:
    """The published definition, {"exercise": …, "files": …}. It holds the key and the reference: never sent out whole.

    Raises:
        ValueError: nothing is published.
    """
    if exercise.published is None:
        raise ValueError(f"exercise {exercise} is not published")
    definition: dict[str, Any] = exercise.published.definition
    return definition
