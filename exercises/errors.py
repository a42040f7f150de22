"""What a service refuses, and why. Messages are for the person who asked; views choose the status code."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from exercises.models import Draft, Revision


class ExerciseError(Exception):
    """Base of all that the application refuses."""


class InvalidFieldError(ExerciseError):
    """Something sent has the wrong form; `field` names it. Nothing was stored."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class ExerciseClosedError(ExerciseError):
    """The exercise takes no hand-ins: it is not published, or retired."""


class NotOpenYetError(ExerciseError):
    """The assignment opens later. The hand-in was kept as a refusal."""


class NotStartedError(ExerciseError):
    """The student has to start the quiz first. The hand-in was kept as a refusal."""


class TimeOverError(ExerciseError):
    """The student's clock has ended, or they ended it themselves. The hand-in was kept as a refusal."""


class VersionChangedError(ExerciseError):
    """The hand-in answers a version that is judged differently by now. It was kept, as a draft and as a refusal."""


class QuestionNotDrawnError(ExerciseError):
    """The student's own numbers give no question that could be answered: its author's fault, at no cost to anyone."""


class KeyReusedError(ExerciseError):
    """An idempotency key came again with another body."""


class NoAttemptsLeftError(ExerciseError):
    """All attempts are used. The hand-in was kept as a refusal, so that staff can still decide."""


class TooOftenError(ExerciseError):
    """More came than is taken at once; `retry_after` is in seconds."""

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TooManyRunsError(TooOftenError):
    """The student's runs are still under way."""


class TooManyQuestionsError(TooOftenError):
    """The student has written a good deal to staff within minutes."""


class StaleDraftError(ExerciseError):
    """Another tab saved meanwhile. `draft` is what stands; what was refused is in its `set_aside`."""

    def __init__(self, message: str, *, draft: Draft) -> None:
        super().__init__(message)
        self.draft = draft


class HintNotOpenError(ExerciseError):
    """The exercise has no such hint, or the one before it was not opened yet."""


class SolutionNotOpenError(ExerciseError):
    """The solution is shown to those who solved the exercise or, in a self-paced course, gave up."""


class LinkError(ExerciseError):
    """A link is unknown, expired, revoked or used. Which of them is not told to its visitor."""


class CourseNotOpenError(ExerciseError):
    """The course takes members by invitation only."""


class RegradeNotReadyError(ExerciseError):
    """A regrade can take effect only once it has an outcome."""


class RegradeImpossibleError(ExerciseError):
    """A response cannot be judged by another version: it names something that this version does not have."""


class BlobTooLargeError(ExerciseError):
    """A value is larger than one row may hold."""


class ReviewNotOpenError(ExerciseError):
    """Nothing is to be judged by this person: another kind, already assessed, replaced, or not theirs to judge."""


class NotAllowedError(ExerciseError):
    """The person's role in the course, or on the site, does not reach so far."""


class StaleRevisionError(ExerciseError):
    """Another author saved meanwhile. `head` is what stands; what was refused is kept in `set_aside`."""

    def __init__(self, message: str, *, head: Revision, set_aside: Revision) -> None:
        super().__init__(message)
        self.head = head
        self.set_aside = set_aside


class NothingSavedError(ExerciseError):
    """The exercise has no working copy yet that could be checked, published or duplicated."""


class NotSoundError(ExerciseError):
    """What is to be published is not proven sound; the message says what is missing."""


class StaleLessonError(ExerciseError):
    """Another author saved the lesson meanwhile; nothing was changed."""


class StaleRosterError(ExerciseError):
    """What an import of a class list was agreed to do is no longer what it would do. Nothing was done."""
