"""Assignments in the course of the demo, each made for the page that shows it."""

from datetime import timedelta

from django.utils import timezone

from exercises.models import Assignment
from exercises.services import start_assignment
from tests.factories import make_assignment


def assignment_page(demo, **overrides):
    """The page of an assignment of three exercises that is a little late."""
    return f"/courses/attention/assignments/{_made(demo, **overrides).slug}/"


def quiz_page(demo, *, is_started):
    """The page of a quiz, before the student starts it or while their clock runs."""
    quiz = _made(demo, title="Quiz on attention", is_quiz=True, minutes=30)
    if is_started:
        start_assignment(demo.student, quiz)
    return f"/courses/attention/assignments/{quiz.slug}/"


def exercise_of_quiz_page(demo):
    """The page of an exercise while the clock of its quiz runs."""
    quiz_page(demo, is_started=True)
    return "/courses/attention/exercises/scaled-dot-product-attention/"


def course_with_assignments(demo):
    """The page of the course with an assignment and a quiz in it."""
    assignment_page(demo)
    quiz_page(demo, is_started=False)
    return "/courses/attention/"


def home_with_assignments(demo):
    """The first page, with an assignment and a quiz that are due."""
    course_with_assignments(demo)
    return "/"


def assignments_of_instructor_page(demo):
    """The assignments of the course, for its staff."""
    assignment_page(demo)
    _made(demo, title="Attention, week 2", is_hidden=True)
    return "/teach/attention/assignments/"


def assignment_edit_page(demo):
    """An assignment as instructors change it, with an extension in it."""
    assignment = _made(demo)
    due_at = timezone.now() + timedelta(days=1)
    assignment.extensions.create(student=demo.student, due_at=due_at, extra_attempts=2, reason="Ill this week")
    return f"/teach/attention/assignments/{assignment.slug}/"


def _made(demo, **overrides) -> Assignment:
    slugs = ("scaled-dot-product-attention", "one-score", "why-divide-by-sqrt-d")
    now = timezone.now()
    dates = {"due_at": now - timedelta(hours=1), "closes_at": now + timedelta(days=3), "late_percent_per_day": 10}
    exercises = [demo.course.exercises.get(slug=slug) for slug in slugs]
    return make_assignment(*exercises, **{"title": "Attention, week 1", "max_attempts": 5, **dates, **overrides})
