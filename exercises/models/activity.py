from django.conf import settings
from django.db import models

from exercises.choices import ActivityKind, RefusalReason
from exercises.models.exercise import Exercise


class Activity(models.Model):
    """Something a student did that no other row tells: opened a hint, viewed a solution."""

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="activities")
    kind = models.CharField(max_length=20, choices=ActivityKind)
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="activities")
    number = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Which hint")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["student", "exercise", "kind"], name="activity_student")]

    def __str__(self) -> str:
        return f"{self.student_id}: {self.kind}"


class Refusal(models.Model):
    """A hand-in that was not taken: kept with its text, so that staff can still decide."""

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="refusals")
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="refusals")
    reason = models.CharField(max_length=20, choices=RefusalReason)
    assignment = models.ForeignKey(
        "exercises.Assignment", null=True, blank=True, on_delete=models.SET_NULL, related_name="refusals"
    )
    source = models.TextField(blank=True)
    response = models.JSONField(null=True, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.student_id} × {self.exercise_id}: {self.reason}"


class ReviewCard(models.Model):
    """What spaced review knows of a student's memory of an exercise that once went wrong.

    `submission` is the latest try at it from memory; when it is judged the next date follows.
    """

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="review_cards")
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="review_cards")
    state = models.JSONField(help_text="The scheduler's own record")
    due_at = models.DateTimeField()
    submission = models.ForeignKey(
        "exercises.Submission", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["student", "due_at"], name="reviews_due")]
        constraints = [models.UniqueConstraint(fields=["student", "exercise"], name="one_review_card")]

    def __str__(self) -> str:
        return f"{self.student_id} reviews {self.exercise_id} on {self.due_at:%Y-%m-%d}"
