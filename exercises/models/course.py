from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from exercises.choices import Role


class Course(models.Model):
    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)
    self_paced = models.BooleanField(default=False, help_text="Without staff: anyone who is signed in may join")
    time_zone = models.CharField(max_length=64, default="UTC")
    required_score = models.FloatField(
        default=0.9,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="Mutation score, 0 to 1, that publishing asks for",
    )
    source = models.TextField(blank=True, help_text="course.yaml, as it was loaded or last written")
    keeps_better_score = models.BooleanField(default=False, help_text="In a regrade nobody loses points")
    dropped_lowest = models.PositiveSmallIntegerField(
        default=0, help_text="How many of a student's worst assignments the gradebook leaves out"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, through="Membership", related_name="courses")

    class Meta:
        ordering = ["title", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(required_score__gte=0, required_score__lte=1), name="required_score_is_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def topic(self) -> str:
        """What is published under when something was handed in or judged."""
        return f"course:{self.pk}"


class Membership(models.Model):
    """A person's role in one course, and what is particular to them there.

    `extra_time_factor` makes every clock of the person longer: 1.25 is a quarter more.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    joined_at = models.DateTimeField(auto_now_add=True)
    section = models.CharField(max_length=100, blank=True)
    external_id = models.CharField(max_length=200, blank=True, help_text="As in the roster that it was imported from")
    extra_time_factor = models.DecimalField(
        max_digits=4, decimal_places=2, default=Decimal(1), validators=[MinValueValidator(Decimal(1))]
    )
    research_consent_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when the person lets research read what they did; empty: not"
    )

    class Meta:
        indexes = [models.Index(fields=["course", "role", "section"], name="membership_section")]
        constraints = [
            models.UniqueConstraint(fields=["course", "user"], name="one_role_per_course"),
            models.UniqueConstraint(
                fields=["course", "external_id"],
                condition=~models.Q(external_id=""),
                name="one_member_per_external_id",
            ),
            models.CheckConstraint(
                condition=models.Q(extra_time_factor__gte=1), name="extra_time_makes_no_clock_shorter"
            ),
        ]

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
