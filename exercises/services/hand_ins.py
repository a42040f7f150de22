from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from exercises.errors import ExerciseClosedError, InvalidFieldError, VersionChangedError
from exercises.models import Assignment, Exercise, ExerciseVersion
from exercises.queries.terms import assignments_with
from exercises.queries.versions import last_met_version
from exercises.services.sources import checked_response, checked_source


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """What a student hands in, once its form is known to be right: source for code, else a response."""

    exercise: Exercise
    version: ExerciseVersion
    source: str = ""
    response: Any = None
    seen_version: int | None = None
    assignment: Assignment | None = None

    @property
    def is_code(self) -> bool:
        """Whether a worker has to run it."""
        return self.version.is_code

    @property
    def body_hash(self) -> str:
        """Equal for equal hand-ins."""
        body = json.dumps([self.source, self.response], sort_keys=True)
        return hashlib.sha256(body.encode()).hexdigest()


def checked_hand_in(exercise: Exercise, *, source: Any, response: Any, version: Any, assignment: Any = None) -> HandIn:
    """The hand-in to the published version; `version` is the number of the one that the student saw, if known.

    `assignment` is the slug of the one that it is for, if it is said.

    One to an exercise that was taken back is of its last version: `check_is_current` refuses it.

    Raises:
        ExerciseClosedError: there is nothing that could be answered.
        InvalidFieldError: a field is missing, superfluous or has the wrong form.
    """
    published = last_met_version(exercise)
    if published is None:
        raise ExerciseClosedError("This exercise is not published.")
    if version is not None and (type(version) is not int or not 0 < version < 2**31):
        raise InvalidFieldError("version", "The version must be a whole number.")
    if published.is_code:
        if response is not None:
            raise InvalidFieldError("response", "This exercise takes source, not a response.")
        fields: dict[str, Any] = {"source": checked_source(source)}
    elif source is not None:
        raise InvalidFieldError("source", "This exercise takes a response, not source.")
    else:
        fields = {"response": checked_response(response)}
    named = None if assignment is None else _checked_assignment(exercise, assignment)
    return HandIn(exercise=exercise, version=published, seen_version=version, assignment=named, **fields)


def check_is_current(hand_in: HandIn) -> None:
    """Compare what the student saw with what is published.

    Raises:
        ExerciseClosedError: the exercise is retired, or taken back.
        InvalidFieldError: there is no such version.
        VersionChangedError: it was judged differently.
    """
    if hand_in.exercise.is_retired or hand_in.exercise.published is None:
        raise ExerciseClosedError("This exercise takes no submissions any more.")
    published, number = hand_in.version, hand_in.seen_version
    if number is None or number == published.number:
        return
    seen = hand_in.exercise.versions.filter(number=number).first()
    if seen is None:
        raise InvalidFieldError("version", f"The exercise has no version {number}.")
    if seen.grading_hash != published.grading_hash:
        raise VersionChangedError(
            "This exercise was corrected since you opened it. What you wrote is kept: load the page again, see what is "
            "asked now, and hand it in."
        )


def _checked_assignment(exercise: Exercise, slug: Any) -> Assignment:
    """The assignment of this slug that holds the exercise. Raises: InvalidFieldError."""
    found = assignments_with(exercise).filter(slug=slug).first() if isinstance(slug, str) and "\0" not in slug else None
    if found is None:
        raise InvalidFieldError("assignment", "There is no such assignment with this exercise.")
    return found
