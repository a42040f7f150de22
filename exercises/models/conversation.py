from django.conf import settings
from django.db import models
from django.db.models import Q

from exercises.choices import Asked
from exercises.models.course import Course, Lesson
from exercises.models.exercise import Exercise, ExerciseVersion
from exercises.models.submission import Submission


class Question(models.Model):
    """What a student asks the staff of a course, or reports; with the lesson, exercise or submission it is about."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="questions")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="questions")
    kind = models.CharField(max_length=10, choices=Asked, default=Asked.QUESTION)
    lesson = models.ForeignKey(Lesson, null=True, blank=True, on_delete=models.SET_NULL, related_name="questions")
    exercise = models.ForeignKey(Exercise, null=True, blank=True, on_delete=models.SET_NULL, related_name="questions")
    submission = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.SET_NULL, related_name="questions"
    )
    text = models.TextField()
    asked_at = models.DateTimeField(auto_now_add=True)
    fixed_by = models.ForeignKey(
        ExerciseVersion,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The version that put right what was reported",
    )
    answered_at = models.DateTimeField(null=True, blank=True, help_text="When staff replied or closed it; empty: open")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["course", "-id"], condition=Q(answered_at=None), name="question_open"),
            models.Index(fields=["student", "-id"], name="question_of_student"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} of {self.student_id}"


class Reply(models.Model):
    """What somebody says to a question: staff, or the student who asked."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="replies")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"reply {self.pk} to {self.question_id}"


class Comment(models.Model):
    """What somebody says of a submission, at a line of it or of the whole."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="comments")
    line = models.PositiveIntegerField(null=True, blank=True, help_text="From 1; empty: of the whole")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["line", "pk"]
        constraints = [models.CheckConstraint(condition=Q(line=None) | Q(line__gt=0), name="comment_line_from_one")]

    def __str__(self) -> str:
        return f"comment {self.pk} on {self.submission_id}"
