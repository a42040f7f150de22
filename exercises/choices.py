"""Enumerations that models and forms share."""

from django.db.models import IntegerChoices, TextChoices


class Role(TextChoices):
    STUDENT = "student", "Student"
    ASSISTANT = "assistant", "Assistant"
    INSTRUCTOR = "instructor", "Instructor"


STAFF_ROLES = (Role.ASSISTANT, Role.INSTRUCTOR)


class Kind(TextChoices):
    """The kinds of exercise; the ones that a grader exists for."""

    CHOICE = "choice", "Choice"
    NUMERIC = "numeric", "Number"
    TEXT = "text", "Text"
    TENSOR = "tensor", "Tensor"
    BLANKS = "blanks", "Gaps"
    ORDERING = "ordering", "Order"
    MATCHING = "matching", "Pairs"
    EXPLAIN = "explain", "Explanation"
    CODE = "code", "Code"
    SCRIPT = "script", "Script"


CODE_KINDS = (Kind.CODE, Kind.SCRIPT)
REVIEWED_KINDS = (Kind.EXPLAIN,)
"""What a person judges."""


class Difficulty(TextChoices):
    EASY = "easy", "Easy"
    MEDIUM = "medium", "Medium"
    HARD = "hard", "Hard"


class State(TextChoices):
    """Of a run or a grading. `superseded`: where attempts are limited, a newer hand-in took its place for good."""

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    GRADED = "graded", "Graded"
    SUPERSEDED = "superseded", "Superseded"


class Lane(IntegerChoices):
    """Order in which waiting work is claimed. `replaced`: submissions that a newer one of the student overtook.

    `review` waits for a person, and no worker claims it.
    """

    RUN = 0, "Run"
    SUBMISSION = 1, "Submission"
    REPLACED = 2, "Replaced submission"
    REGRADE = 3, "Regrade"
    REVIEW = 4, "Review"


class Reason(TextChoices):
    """Why a submission is judged."""

    FIRST = "first", "First grading"
    REGRADE = "regrade", "Regrade"
    REVIEW = "review", "Another review"
    DRY_RUN = "dry_run", "Dry run"


class RunKind(TextChoices):
    FREE = "free", "Free run"
    SNIPPET = "snippet", "Snippet of a lesson"
    CASES = "cases", "Visible cases of an exercise"


class RefusalReason(TextChoices):
    """Why a hand-in was not taken. Recorded, since it cannot be known afterwards."""

    CLOSED = "closed", "Closed"
    NO_ATTEMPTS = "no_attempts", "No attempts left"


class ActivityKind(TextChoices):
    HINT_OPENED = "hint_opened", "Hint opened"
    SOLUTION_VIEWED = "solution_viewed", "Solution viewed"
