from decimal import Decimal

from django.conf import settings
from django.db import models

from exercises.choices import Reason, State
from exercises.models.exercise import Exercise, ExerciseVersion
from exercises.models.work import Work
from graders.outcomes import Verdict


class Submission(models.Model):
    """One handing-in; never updated, only emptied with its student's account.

    `source` for code, `response` for the other kinds.
    With `seed` and `version` a response means the same question for ever: numbers and ids follow from them.

    `is_counted` is false for practice, such as after closing: graded, and in no score. `due_at` is when it was due for
    this student as things stood at the hand-in; whether it counts as late is asked when scores are made, since an
    extension may come afterwards.
    """

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="submissions")
    exercise = models.ForeignKey(Exercise, on_delete=models.PROTECT, related_name="submissions")
    version = models.ForeignKey(ExerciseVersion, on_delete=models.PROTECT, related_name="submissions")
    created_at = models.DateTimeField(auto_now_add=True)
    receipt = models.CharField(max_length=12, unique=True)
    source = models.TextField(blank=True)
    response = models.JSONField(null=True, blank=True)
    seed = models.CharField(max_length=64, blank=True, help_text="Of the student's variant of a question")
    body_hash = models.CharField(max_length=64, help_text="Of what was handed in: finds equal hand-ins")
    assignment = models.ForeignKey(
        "exercises.Assignment", null=True, blank=True, on_delete=models.PROTECT, related_name="submissions"
    )
    is_counted = models.BooleanField(default=True)
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["student", "exercise", "-id"], name="submission_history"),
            models.Index(fields=["student", "-created_at"], name="submission_latest"),
            models.Index(fields=["exercise", "-created_at"], name="submission_of_exercise"),
            models.Index(fields=["assignment", "student", "is_counted"], name="submission_of_assignment"),
        ]

    def __str__(self) -> str:
        return self.receipt

    @property
    def is_erased(self) -> bool:
        """Whether its student had the account erased, and with it all that this said."""
        return not self.body_hash

    @property
    def grading(self) -> "Grading":
        """The grading in force. Costs nothing where it was joined as `joined_grading`, or `gradings` was prefetched."""
        joined: Grading | None = getattr(self, "joined_grading", None)
        return joined or next(grading for grading in self.gradings.all() if grading.in_force)

    @property
    def topic(self) -> str:
        """What its changes are published under."""
        return f"submission:{self.pk}"


class IdempotencyKey(models.Model):
    """A client's name for a request, so that sending it twice hands in once. It may be used again after a day."""

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="idempotency_keys")
    key = models.CharField(max_length=200)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="idempotency_keys")
    used_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["student", "key"], name="one_submission_per_key")]

    def __str__(self) -> str:
        return f"{self.key} → {self.submission_id}"


class Attempt(models.Model):
    """A submission that counts against a limit, until it is given back."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, related_name="attempt")
    given_back_at = models.DateTimeField(null=True, blank=True)
    given_back_because = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return f"attempt of {self.submission_id}"


class Grading(Work):
    """One judging of a submission. The first is in force from the start; a regrade takes its place when applied."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="gradings")
    version = models.ForeignKey(ExerciseVersion, on_delete=models.PROTECT, related_name="gradings")
    reason = models.CharField(max_length=10, choices=Reason, default=Reason.FIRST)
    in_force = models.BooleanField(default=False)
    regrade = models.ForeignKey(
        "exercises.Regrade", null=True, blank=True, on_delete=models.CASCADE, related_name="gradings"
    )
    instead_of = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="compared_with",
        help_text="The grading in force that a regrade is compared with",
    )
    reviewer = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="reviews",
        help_text="Who judged it, where a person did",
    )
    score = models.DecimalField(max_digits=9, decimal_places=2, null=True, blank=True)
    max_score = models.DecimalField(max_digits=9, decimal_places=2, null=True, blank=True)
    feedback = models.BinaryField(null=True, blank=True, help_text="Packed: feedback, cases, printed text, evidence")

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["lane", "queued_at"], condition=models.Q(state=State.QUEUED), name="grading_queue"),
            models.Index(
                fields=["submission"], condition=models.Q(verdict=Verdict.INTERNAL_ERROR), name="grading_fault"
            ),
            models.Index(fields=["-finished_at"], name="grading_finished"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["student"], condition=models.Q(state=State.RUNNING), name="one_running_grading_per_student"
            ),
            models.UniqueConstraint(
                fields=["submission"], condition=models.Q(in_force=True), name="one_grading_in_force"
            ),
        ]

    def __str__(self) -> str:
        return f"grading {self.pk} of {self.submission_id}: {self.verdict or self.state}"

    @property
    def topic(self) -> str:
        """That of its submission."""
        return f"submission:{self.submission_id}"


class CaseResult(models.Model):
    """The judging of one case: narrow, so that statistics over many stay quick."""

    grading = models.ForeignKey(Grading, on_delete=models.CASCADE, related_name="case_results")
    index = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=100)
    is_visible = models.BooleanField()
    verdict = models.CharField(max_length=20)
    points = models.DecimalField(max_digits=7, decimal_places=2)
    max_points = models.DecimalField(max_digits=7, decimal_places=2)
    cause = models.CharField(max_length=100, blank=True, help_text="Slug of a listed mistake or of a diagnosis")

    class Meta:
        ordering = ["index"]
        indexes = [models.Index(fields=["grading", "cause"], condition=~models.Q(cause=""), name="case_cause")]
        constraints = [models.UniqueConstraint(fields=["grading", "index"], name="one_result_per_case")]

    def __str__(self) -> str:
        return f"{self.name}: {self.verdict}"


class BestScore(models.Model):
    """A student's best grading in force of an exercise; kept in the transaction that records an outcome.

    Where staff set the score by hand that stands, also where nothing was handed in: then there is no grading.
    """

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="best_scores")
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="best_scores")
    grading = models.ForeignKey(Grading, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    override = models.ForeignKey(
        "exercises.Override",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="By which staff set the score, in place of what was judged",
    )
    verdict = models.CharField(max_length=20, blank=True)
    score = models.DecimalField(max_digits=9, decimal_places=2)
    max_score = models.DecimalField(max_digits=9, decimal_places=2)
    submissions = models.PositiveIntegerField(default=1, help_text="How many were graded so far")
    solved_at = models.DateTimeField(null=True, blank=True, help_text="When first accepted")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["student", "exercise"], name="one_best_score")]

    def __str__(self) -> str:
        return f"{self.student_id} × {self.exercise_id}: {self.score} of {self.max_score}"

    @property
    def share(self) -> Decimal:
        """The part of the points that was reached, 0 to 1."""
        return self.score / self.max_score if self.max_score else Decimal(0)


class Draft(models.Model):
    """What a student has written and not handed in. `revision` grows with each save: a stale tab is refused.

    What a stale tab sent is set aside, so that both texts can be restored.
    """

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="drafts")
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="drafts")
    source = models.TextField(blank=True)
    response = models.JSONField(null=True, blank=True, help_text="To a question; as the form's fields stand")
    set_aside = models.TextField(blank=True)
    set_aside_response = models.JSONField(null=True, blank=True)
    revision = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["student", "exercise"], name="one_draft")]

    def __str__(self) -> str:
        return f"draft of {self.student_id} for {self.exercise_id}"
