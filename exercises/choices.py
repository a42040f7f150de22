"""Enumerations that models and forms share."""

from django.db.models import IntegerChoices, TextChoices


class Role(TextChoices):
    """Of a member of a course. As its preview student a course's staff see what students see."""

    STUDENT = "student", "Student"
    ASSISTANT = "assistant", "Assistant"
    INSTRUCTOR = "instructor", "Instructor"
    PREVIEW = "preview", "Preview student"


STAFF_ROLES = (Role.ASSISTANT, Role.INSTRUCTOR)
LEARNER_ROLES = (Role.STUDENT, Role.PREVIEW)
"""Who is treated as a student. Lists and statistics are of `Role.STUDENT` alone."""
ROLES_OF_PEOPLE = (Role.STUDENT, Role.ASSISTANT, Role.INSTRUCTOR)
"""What somebody can be made."""


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
    """Of a run, a grading or a check. A run or grading ends as `graded`, a check as `finished` or `failed`: by us.

    `superseded`: a newer hand-in, where attempts are limited, or a newer check took its place for good; or its student
    took it back. `impossible`: of a regrade, where the other version cannot judge what was handed in.
    """

    QUEUED = "queued", "Queued"
    RUNNING = "running", "Running"
    GRADED = "graded", "Graded"
    SUPERSEDED = "superseded", "Superseded"
    IMPOSSIBLE = "impossible", "Cannot be judged"
    FINISHED = "finished", "Finished"
    FAILED = "failed", "Failed"


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


# How a run's result names the tensor of the last expression, where no variable holds it.
LAST_VALUE = "last value"


class RunKind(TextChoices):
    FREE = "free", "Free run"
    SNIPPET = "snippet", "Snippet of a lesson"
    CASES = "cases", "Visible cases of an exercise"
    JUDGED = "judged", "All cases of an exercise, by staff"


class RefusalReason(TextChoices):
    """Why a hand-in was not taken. Recorded, since it cannot be known afterwards."""

    CLOSED = "closed", "Closed"
    NOT_OPEN = "not_open", "Not open yet"
    NOT_STARTED = "not_started", "The clock was not started"
    TIME_OVER = "time_over", "After the clock's end"
    NO_ATTEMPTS = "no_attempts", "No attempts left"
    VERSION_CHANGED = "version_changed", "The exercise was corrected meanwhile"
    INVALID = "invalid", "Not an answer that can be judged"


class ActivityKind(TextChoices):
    HINT_OPENED = "hint_opened", "Hint opened"
    SOLUTION_VIEWED = "solution_viewed", "Solution viewed"
    GAVE_UP = "gave_up", "Gave up"


class RegradeState(TextChoices):
    """Of a regrade: looked at, taking effect, in effect, or given up."""

    PREVIEW = "preview", "Preview"
    APPLYING = "applying", "Applying"
    APPLIED = "applied", "Applied"
    CANCELLED = "cancelled", "Cancelled"


class AuditAction(TextChoices):
    """What is kept in the record of a course, with who did it and when."""

    COURSE_CREATED = "course_created", "Course created"
    COURSE_CHANGED = "course_changed", "Course changed"
    COURSE_LOADED = "course_loaded", "Course loaded from files"
    EXERCISE_CREATED = "exercise_created", "Exercise created"
    EXERCISE_DUPLICATED = "exercise_duplicated", "Exercise duplicated"
    EXERCISE_RETIRED = "exercise_retired", "Exercise put away"
    ATTEMPTS_LIMITED = "attempts_limited", "Attempts at an exercise set"
    EXERCISE_BROUGHT_BACK = "exercise_brought_back", "Exercise brought back"
    LESSON_SAVED = "lesson_saved", "Lesson saved"
    LESSON_RETIRED = "lesson_retired", "Lesson put away"
    ASSET_ADDED = "asset_added", "File added"
    ASSET_REMOVED = "asset_removed", "File removed"
    JOIN_LINK_MADE = "join_link_made", "Join link made"
    JOIN_LINK_REVOKED = "join_link_revoked", "Join link revoked"
    PUBLISHED = "published", "Version published"
    UNPUBLISHED = "unpublished", "Taken back"
    SCHEDULED = "scheduled", "Publication scheduled"
    SCHEDULE_CANCELLED = "schedule_cancelled", "Scheduled publication cancelled"
    REGRADE_APPLIED = "regrade_applied", "Regrade applied"
    REGRADE_CANCELLED = "regrade_cancelled", "Regrade cancelled"
    ASSIGNMENT_CREATED = "assignment_created", "Assignment created"
    ASSIGNMENT_CHANGED = "assignment_changed", "Assignment changed"
    EXTENSION_GRANTED = "extension_granted", "Extension granted"
    EXTRA_TIME_SET = "extra_time_set", "Extra time set"
    GRADE_RULES_SET = "grade_rules_set", "Weights set"
    ROSTER_IMPORTED = "roster_imported", "Roster imported"
    MEMBER_CHANGED = "member_changed", "Member changed"
    MEMBER_REMOVED = "member_removed", "Member removed"
    SIGN_IN_RESET = "sign_in_reset", "Sign-in link made"
    COURSE_COPIED = "course_copied", "Course copied"
    PREVIEW_FORGOTTEN = "preview_forgotten", "Preview student made anew"
    RESEARCH_EXPORTED = "research_exported", "Exported for research"
    OUTCOMES_RELEASED = "outcomes_released", "Outcomes released"
    RELEASE_TAKEN_BACK = "release_taken_back", "Release of outcomes taken back"
    GRANTED_TOGETHER = "granted_together", "Time or attempts granted to several"
    ATTEMPT_GIVEN_BACK = "attempt_given_back", "Attempt given back"
    OVERRIDE_SET = "override_set", "Score set by hand"
    OVERRIDE_WITHDRAWN = "override_withdrawn", "Score by hand withdrawn"
    SUBMISSION_REGRADED = "submission_regraded", "Submission regraded"
    REVIEWS_UNDONE = "reviews_undone", "Reviews taken back"
    REVIEW_PUT_IN_FORCE = "review_put_in_force", "Another review put in force"
    ANNOUNCED = "announced", "Announced to the class"
    REQUEUED = "requeued", "Put back into the queue"


class Counted(TextChoices):
    """Which hand-in of an assignment counts, after what being late costs it."""

    BEST = "best", "The best"
    LAST = "last", "The last"


class Shown(TextChoices):
    """When students see something of an assignment: outcomes, or solutions."""

    AT_ONCE = "at_once", "At once"
    CLOSED = "closed", "Once it is closed"
    RELEASED = "released", "Once staff release it"
    NEVER = "never", "Never"


class Asked(TextChoices):
    """What a student turns to staff with."""

    QUESTION = "question", "Question"
    REPORT = "report", "Report of a fault"
