from django.conf import settings
from django.db import models

from exercises.choices import Role


class Course(models.Model):
    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    self_paced = models.BooleanField(default=False, help_text="Without staff: anyone who is signed in may join")
    time_zone = models.CharField(max_length=64, default="UTC")
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="courses")

    class Meta:
        ordering = ["title", "pk"]

    def __str__(self) -> str:
        return self.title


class Membership(models.Model):
    """A person's role in one course."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "user"], name="one_role_per_course")]

    def __str__(self) -> str:
        return f"{self.user_id} is {self.role} of {self.course_id}"


class JoinLink(models.Model):
    """A link that makes its visitor a member. Only a hash of its token is stored."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="join_links")
    role = models.CharField(max_length=10, choices=Role, default=Role.STUDENT)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"join link {self.pk} of {self.course_id}"


class Lesson(models.Model):
    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="lessons")
    slug = models.SlugField()
    position = models.PositiveIntegerField()
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    source = models.TextField(help_text="Markdown, as in the course folder")
    html = models.TextField(help_text="Rendered and sanitised")
    snippets = models.JSONField(default=list, help_text="Runnable fences in order: {source, fresh, output, line}")
    search_text = models.TextField(blank=True)
    is_retired = models.BooleanField(default=False)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["course", "slug"], name="one_lesson_per_slug")]

    def __str__(self) -> str:
        return self.title


class LessonExercise(models.Model):
    """An exercise embedded in a lesson."""

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="embedded")
    exercise = models.ForeignKey("exercises.Exercise", on_delete=models.CASCADE, related_name="embeddings")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["lesson", "exercise"], name="one_embedding_per_lesson")]

    def __str__(self) -> str:
        return f"exercise {self.exercise_id} in lesson {self.lesson_id}"


class Asset(models.Model):
    """A small read-only file of a course: a picture or data."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="assets")
    path = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    digest = models.CharField(max_length=64)
    content = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["course", "path"], name="one_asset_per_path")]

    def __str__(self) -> str:
        return self.path
