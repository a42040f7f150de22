from django.conf import settings
from django.db import models

from exercises.choices import RunKind
from exercises.models.course import Lesson
from exercises.models.exercise import ExerciseVersion
from exercises.models.work import Work


class Run(Work):
    """An ungraded execution: a free script, a snippet after its predecessors, or the visible cases."""

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="runs")
    kind = models.CharField(max_length=10, choices=RunKind)
    source = models.TextField()
    version = models.ForeignKey(ExerciseVersion, null=True, blank=True, on_delete=models.CASCADE, related_name="runs")
    lesson = models.ForeignKey(Lesson, null=True, blank=True, on_delete=models.CASCADE, related_name="runs")
    snippet = models.PositiveSmallIntegerField(null=True, blank=True)
    result = models.BinaryField(null=True, blank=True, help_text="Compressed JSON: printed text, error, value, tensors, cases")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["state", "queued_at"], name="run_queue"),
            models.Index(fields=["state", "lease_until"], name="run_leases"),
            models.Index(fields=["student", "-id"], name="run_student"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.pk}: {self.verdict or self.state}"
