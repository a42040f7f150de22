from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q

from exercises.choices import Counted, Shown
from exercises.models.course import Course
from exercises.models.exercise import Exercise


def _in_order(earlier: str, later: str) -> Q:
    """That the one date is not after the other, where both are set."""
    return Q((earlier, None)) | Q((later, None)) | Q((f"{earlier}__lte", F(later)))


class Assignment(models.Model):
    """Exercises with dates, attempts and points. A quiz has a clock, too: `minutes` from each student's own start.

    Dates are moments; the course's time zone is for showing them. An empty date sets no bound. After `due_at` and the
    grace a hand-in is late, and loses `late_percent_per_day` of its points for each day that has begun; after
    `closes_at` nothing is taken that counts. An `Extension` sets these dates anew for one student.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="assignments")
    title = models.CharField(max_length=200)
    slug = models.SlugField()
    position = models.PositiveIntegerField(default=0)
    is_hidden = models.BooleanField(default=False, help_text="Seen by staff alone")
    opens_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    grace_minutes = models.PositiveSmallIntegerField(default=0)
    late_percent_per_day = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MaxValueValidator(100)], help_text="Empty: being late costs nothing"
    )
    max_attempts = models.PositiveIntegerField(
        null=True, blank=True, help_text="At each exercise; empty: as the exercise says"
    )
    is_quiz = models.BooleanField(default=False)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of a quiz's clock; empty: none")
    one_question_a_page = models.BooleanField(default=False)
    is_shuffled = models.BooleanField(
        default=False, help_text="Each student has the exercises in an order of their own"
    )
    counted = models.CharField(max_length=10, choices=Counted, default=Counted.BEST)
    weight = models.DecimalField(max_digits=6, decimal_places=2, default=1, validators=[MinValueValidator(0)])
    outcomes_shown = models.CharField(max_length=10, choices=Shown, default=Shown.AT_ONCE)
    solutions_shown = models.CharField(max_length=10, choices=Shown, default=Shown.CLOSED)
    released_at = models.DateTimeField(null=True, blank=True, help_text="When staff let students see what was judged")
    created_at = models.DateTimeField(auto_now_add=True)
    exercises = models.ManyToManyField(Exercise, through="AssignmentExercise", related_name="assignments")

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_assignment_per_slug"),
            models.CheckConstraint(condition=_in_order("opens_at", "due_at"), name="assignment_opens_before_due"),
            models.CheckConstraint(condition=_in_order("due_at", "closes_at"), name="assignment_due_before_close"),
            models.CheckConstraint(condition=_in_order("opens_at", "closes_at"), name="assignment_opens_before_close"),
            models.CheckConstraint(
                condition=Q(late_percent_per_day=None) | Q(late_percent_per_day__lte=100),
                name="late_percent_of_hundred",
            ),
            models.CheckConstraint(condition=Q(minutes=None) | Q(is_quiz=True, minutes__gt=0), name="clock_of_a_quiz"),
        ]

    def __str__(self) -> str:
        return self.title


class AssignmentExercise(models.Model):
    """An exercise in an assignment, with the points that it has there."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="items")
    exercise = models.ForeignKey(Exercise, on_delete=models.PROTECT, related_name="assignment_items")
    position = models.PositiveIntegerField()
    points = models.DecimalField(max_digits=7, decimal_places=2, validators=[MinValueValidator(0)])

    class Meta:
        ordering = ["position", "pk"]
        constraints = [models.UniqueConstraint(fields=["assignment", "exercise"], name="one_item_per_assignment")]

    def __str__(self) -> str:
        return f"exercise {self.exercise_id} in assignment {self.assignment_id}"


class AssignmentStart(models.Model):
    """A student's own beginning of an assignment; where there is a clock it runs from here until `ends_at`.

    `handed_in_at` is when the student ended it, or the clock did: then the last drafts were handed in.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="starts")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assignment_starts")
    started_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    handed_in_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "student"], name="one_start_per_assignment")]
        indexes = [
            models.Index(fields=["ends_at"], condition=Q(handed_in_at=None, ends_at__isnull=False), name="start_clock")
        ]

    def __str__(self) -> str:
        return f"start of {self.student_id} in {self.assignment_id}"


class Extension(models.Model):
    """Dates and attempts of one student in place of those of the assignment; an empty date leaves that one as it is."""

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="extensions")
    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="extensions")
    due_at = models.DateTimeField(null=True, blank=True)
    closes_at = models.DateTimeField(null=True, blank=True)
    extra_attempts = models.PositiveSmallIntegerField(default=0)
    reason = models.TextField(blank=True)
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    granted_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["assignment", "student"], name="one_extension_per_assignment"),
            models.CheckConstraint(condition=_in_order("due_at", "closes_at"), name="extension_due_before_close"),
        ]

    def __str__(self) -> str:
        return f"extension of {self.student_id} in {self.assignment_id}"


class Override(models.Model):
    """A score that staff set by hand, in place of what was judged: of an exercise, within an assignment or without.

    It stands until it is withdrawn; a later one withdraws the one before it, and all are kept.
    """

    student = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="overrides")
    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="overrides")
    assignment = models.ForeignKey(
        Assignment, null=True, blank=True, on_delete=models.CASCADE, related_name="overrides"
    )
    score = models.DecimalField(max_digits=9, decimal_places=2, validators=[MinValueValidator(Decimal(0))])
    max_score = models.DecimalField(max_digits=9, decimal_places=2, validators=[MinValueValidator(Decimal(0))])
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["student", "exercise"],
                condition=Q(withdrawn_at=None, assignment=None),
                name="one_override_standing",
            ),
            models.UniqueConstraint(
                fields=["student", "exercise", "assignment"],
                condition=Q(withdrawn_at=None, assignment__isnull=False),
                name="one_override_standing_in_assignment",
            ),
            models.CheckConstraint(condition=Q(score__gte=0), name="override_score_at_least_zero"),
        ]

    def __str__(self) -> str:
        return f"{self.student_id} × {self.exercise_id}: {self.score} by hand"
