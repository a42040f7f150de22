from django.conf import settings
from django.db import models
from django.utils import timezone

from exercises.choices import Lane, State


class Leased(models.Model):
    """Something that a worker claims: state and lease. The row is the truth, messages only wake.

    A lease is a random token with an end; whoever writes a result must still hold it.
    """

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    claimed_by = models.CharField(max_length=100, blank=True)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    queued_at = models.DateTimeField(default=timezone.now, help_text="Its place in the queue")
    retry_at = models.DateTimeField(null=True, blank=True, help_text="Not claimed before, after a fault of ours")
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    fault = models.TextField(blank=True, help_text="What went wrong on our side; for staff")

    class Meta:
        abstract = True


class Work(Leased):
    """A student's work: what is claimed in the order of lanes, one at a time for each student.

    `student` is repeated in gradings, whose submission never changes, so that one query finds who has nothing running.
    """

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="%(class)ss")
    lane = models.PositiveSmallIntegerField(choices=Lane)
    verdict = models.CharField(max_length=20, blank=True)
    cpu_seconds = models.FloatField(null=True, blank=True)
    wall_seconds = models.FloatField(null=True, blank=True)
    peak_memory_bytes = models.BigIntegerField(null=True, blank=True)
    torch_version = models.CharField(max_length=40, blank=True)
    runner_version = models.CharField(max_length=40, blank=True)
    cpu_capability = models.CharField(max_length=40, blank=True)

    class Meta:
        abstract = True
