from django.db import models

from exercises.choices import RunKind, State
from exercises.models.course import Lesson
from exercises.models.exercise import ExerciseVersion
from exercises.models.submission import Submission
from exercises.models.work import Work


class Run(Work):
    """An ungraded execution: a free script, a snippet after its predecessors, or the visible cases.

    Of a `submission` staff run a copy, edited or not, through all cases; `student` is then whoever of them did.
    """

    kind = models.CharField(max_length=10, choices=RunKind)
    source = models.TextField()
    version = models.ForeignKey(ExerciseVersion, null=True, blank=True, on_delete=models.CASCADE, related_name="runs")
    lesson = models.ForeignKey(Lesson, null=True, blank=True, on_delete=models.CASCADE, related_name="runs")
    snippet = models.PositiveSmallIntegerField(null=True, blank=True)
    submission = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.CASCADE, related_name="staff_runs"
    )
    result = models.BinaryField(null=True, blank=True, help_text="Packed: printed text, error, value, tensors, cases")

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["lane", "queued_at"], condition=models.Q(state=State.QUEUED), name="run_queue"),
            models.Index(fields=["student", "-id"], name="run_student"),
            models.Index(fields=["-finished_at"], name="run_finished"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["student"], condition=models.Q(state=State.RUNNING), name="one_running_run_per_student"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} run {self.pk}: {self.verdict or self.state}"

    @property
    def topic(self) -> str:
        """What its changes are published under."""
        return f"run:{self.pk}"
