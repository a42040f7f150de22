"""Faults of those who write exercises or clients; never of a student's work, which is judged by values."""

from __future__ import annotations


class GraderError(Exception):
    """The work cannot be judged: the exercise, or what was handed to the grader, is not sound."""


class DefinitionError(GraderError):
    """A field of an exercise cannot be used. `field` names it as in exercise.yaml (`compare.rtol`)."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class ResponseError(GraderError):
    """A response has the wrong form: an error for the client, who may send another; not a wrong answer."""
