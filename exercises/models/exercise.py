from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models

from exercises.choices import CODE_KINDS, REVIEWED_KINDS, Kind
from exercises.models.course import Course


class Exercise(models.Model):
    """One gradable question. What it says lies in its versions; students see the published one.

    A scheduled version is published when its time has come.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="exercises")
    slug = models.SlugField()
    position = models.PositiveIntegerField(default=0)
    published = models.ForeignKey("ExerciseVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    max_attempts = models.PositiveIntegerField(null=True, blank=True, help_text="Empty: as many as one likes")
    is_retired = models.BooleanField(default=False)
    scheduled_version = models.ForeignKey(
        "ExerciseVersion", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    scheduled_at = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_exercise_per_slug"),
            models.CheckConstraint(
                condition=models.Q(scheduled_version=None, scheduled_at=None)
                | models.Q(scheduled_version__isnull=False, scheduled_at__isnull=False),
                name="scheduled_version_with_its_time",
            ),
        ]

    def __str__(self) -> str:
        return self.slug

    @property
    def is_code(self) -> bool:
        """Whether students hand in source; else a response."""
        return self.published is not None and self.published.is_code

    @property
    def class_topic(self) -> str:
        """What hand-ins to it and their outcomes are published under, for the staff of its course."""
        return f"course:{self.course_id}"


class ExerciseVersion(models.Model):
    """An exercise as it was at one time; never changed.

    `definition` is {"exercise": exercise.yaml as validated, "files": {path: text}}. `content_hash` covers all of it,
    `grading_hash` only what a verdict depends on.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    grading_hash = models.CharField(max_length=64)
    kind = models.CharField(max_length=10, choices=Kind)
    title = models.CharField(max_length=200)
    points = models.DecimalField(max_digits=7, decimal_places=2, validators=[MinValueValidator(0)])
    definition = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["exercise", "number"]
        constraints = [
            models.UniqueConstraint(fields=["exercise", "number"], name="one_version_per_number"),
            models.UniqueConstraint(fields=["exercise", "content_hash"], name="one_version_per_content"),
        ]

    def __str__(self) -> str:
        return f"{self.title} (version {self.number})"

    @property
    def is_code(self) -> bool:
        """Whether a worker runs what is handed in."""
        return self.kind in CODE_KINDS

    @property
    def is_reviewed(self) -> bool:
        """Whether a person judges what is handed in."""
        return self.kind in REVIEWED_KINDS


class CaseSet(models.Model):
    """Inputs, expected outputs and outputs of the listed mistakes, for one grading hash; content-addressed.

    `blob` is for the worker alone. `visible` is what students may see of it, as JSON to be shown: for each visible case
    `{"name", "args": […], "kwargs": {…}, "expected"}`, where a tensor is `{"dtype", "shape", "values"}`, with `values`
    None if there are too many to show.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="case_sets")
    grading_hash = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    blob = models.BinaryField()
    visible = models.JSONField(default=list)
    hidden = models.BinaryField(null=True, blank=True, help_text="Packed: the same of hidden cases, for staff")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["exercise", "grading_hash"], name="one_case_set_per_grading_hash")
        ]

    def __str__(self) -> str:
        return f"cases of {self.exercise_id} ({self.grading_hash[:8]})"
