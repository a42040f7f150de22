from django.conf import settings
from django.db import models

from exercises.choices import RegradeState
from exercises.models.exercise import Exercise, ExerciseVersion


class Regrade(models.Model):
    """The judging anew of all that was handed in to an exercise, by its corrected version.

    Its gradings are dry runs until it is applied: then each takes effect, or not, where the course keeps the better
    score. Either way its reason is then a regrade, so that applying once more finds nothing left to do.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="regrades")
    version = models.ForeignKey(ExerciseVersion, on_delete=models.PROTECT, related_name="regrades")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    state = models.CharField(max_length=10, choices=RegradeState, default=RegradeState.PREVIEW)
    queued_at = models.DateTimeField(null=True, blank=True, help_text="When every submission concerned had its grading")
    keeps_better_score = models.BooleanField(default=False, help_text="As the course said when it was applied")
    applied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    finished_at = models.DateTimeField(null=True, blank=True, help_text="When it was applied or cancelled")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["exercise"],
                condition=models.Q(state__in=(RegradeState.PREVIEW, RegradeState.APPLYING)),
                name="one_open_regrade_per_exercise",
            ),
        ]

    def __str__(self) -> str:
        return f"regrade {self.pk} of {self.exercise_id}: {self.state}"

    @property
    def topic(self) -> str:
        """What its changes are published under."""
        return f"regrade:{self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether it is looked at or being applied."""
        return self.state in (RegradeState.PREVIEW, RegradeState.APPLYING)
