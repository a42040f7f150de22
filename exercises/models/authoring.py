from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from exercises.choices import Kind, State
from exercises.models.exercise import Exercise
from exercises.models.work import Leased


class Revision(models.Model):
    """An author's working copy of an exercise at one time; never changed. The highest number is the head.

    `files` is `{path: text}`, with `{"base64": …}` in place of a text for what is binary, as in an exercise folder.
    Kind, title and hashes are empty where the files cannot be read as an exercise: that does not prevent saving.

    A save that met a head which its author had not seen is *set aside*: kept, and no head.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    files = models.JSONField()
    based_on = models.PositiveIntegerField(default=0, help_text="Number of the revision that was edited; 0 for none")
    is_set_aside = models.BooleanField(default=False)
    kind = models.CharField(max_length=10, choices=Kind, blank=True)
    title = models.CharField(max_length=200, blank=True)
    content_hash = models.CharField(max_length=64, blank=True)
    grading_hash = models.CharField(max_length=64, blank=True)
    saved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    saved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["exercise", "-number"]
        constraints = [models.UniqueConstraint(fields=["exercise", "number"], name="one_revision_per_number")]

    def __str__(self) -> str:
        return f"revision {self.number} of {self.exercise_id}"

    @property
    def is_readable(self) -> bool:
        """Whether it is an exercise in which nothing is missing or misspelt."""
        return bool(self.content_hash)


class Check(Leased):
    """The proving of one revision, by a worker.

    `progress` is what has been found so far: `{"doing": words, "done": [checks], "findings": [as in the report],
    "tried": mutants, "mutants": how many there are}`. `report` is what `check_exercise --json` prints; None until the
    check is finished, and for ever if it failed on our side, which `fault` then explains.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="checks")
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="checks")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    host = models.CharField(max_length=100, blank=True, help_text="Where it runs: one at a time on each")
    progress = models.JSONField(default=dict)
    report = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["queued_at"], condition=models.Q(state=State.QUEUED), name="check_queue")]
        constraints = [
            models.UniqueConstraint(
                fields=["exercise"],
                condition=models.Q(state__in=(State.QUEUED, State.RUNNING)),
                name="one_open_check_per_exercise",
            ),
            models.UniqueConstraint(
                fields=["host"], condition=models.Q(state=State.RUNNING), name="one_running_check_per_host"
            ),
        ]

    def __str__(self) -> str:
        return f"check {self.pk} of {self.exercise_id}: {self.state}"

    @property
    def topic(self) -> str:
        """What its changes are published under."""
        return f"check:{self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether it still waits or runs."""
        return self.state in (State.QUEUED, State.RUNNING)

    @property
    def is_sound(self) -> bool:
        """Whether nothing was found that stands against publishing, the mutation score included."""
        report: dict[str, Any] = self.report or {}
        return bool(report.get("sound"))


class Certificate(models.Model):
    """Proof that what has this grading hash is sound; publishing needs one.

    `mutation_score` is None for questions, whose key is proven instead. Whether it is high enough is asked when
    publishing, since the course sets how high. `report` is what the check found, without what became of each mutant;
    empty where the certificate came in a folder.
    """

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="certificates")
    grading_hash = models.CharField(max_length=64)
    mutation_score = models.FloatField(
        null=True, blank=True, validators=[MinValueValidator(0), MaxValueValidator(1)], help_text="0 to 1"
    )
    mutants = models.JSONField(default=dict, help_text="How many there were, by their fate")
    report = models.JSONField(default=dict)
    torch_version = models.CharField(max_length=40, blank=True)
    checked_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["exercise", "grading_hash"], name="one_certificate_per_grading_hash"),
            models.CheckConstraint(
                condition=models.Q(mutation_score=None) | models.Q(mutation_score__gte=0, mutation_score__lte=1),
                name="mutation_score_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"certificate of {self.exercise_id} ({self.grading_hash[:8]})"
