from django.conf import settings
from django.db import models

from exercises.models.course import Course
from exercises.models.site_paths import SitePathField


class AuditEntry(models.Model):
    """Who did what to a course, and when; never changed. `action` is a word of `exercises.choices.AuditAction`."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="audit_entries")
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Empty: the operator at the command line, or the clock",
    )
    action = models.CharField(max_length=40)
    target = models.CharField(max_length=200, help_text="What was acted on, in words: an exercise's slug, a student")
    details = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["course", "-id"], name="audit_of_course")]

    def __str__(self) -> str:
        return f"{self.action} {self.target}"


class Notice(models.Model):
    """Something a person is told, in their inbox; `url` is the page about it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    text = models.TextField()
    url = SitePathField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_inbox"),
            models.Index(fields=["user"], condition=models.Q(read_at=None), name="notice_unread"),
        ]

    def __str__(self) -> str:
        return self.text
