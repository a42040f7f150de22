from django.db import models

from exercises.choices import Lane, State


class Work(models.Model):
    """Something that a worker claims: state, lane and lease. The row is the truth, messages only wake.

    A lease is a random token with an end; whoever writes a result must still hold it.
    """

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    lane = models.PositiveSmallIntegerField(choices=Lane)
    tries = models.PositiveSmallIntegerField(default=0)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    verdict = models.CharField(max_length=20, blank=True)
    cpu_seconds = models.FloatField(null=True, blank=True)
    wall_seconds = models.FloatField(null=True, blank=True)
    peak_memory_bytes = models.BigIntegerField(null=True, blank=True)
    torch_version = models.CharField(max_length=40, blank=True)
    runner_version = models.CharField(max_length=40, blank=True)
    cpu_capability = models.CharField(max_length=40, blank=True)
    fault = models.TextField(blank=True, help_text="What went wrong on our side; for staff")

    class Meta:
        abstract = True
