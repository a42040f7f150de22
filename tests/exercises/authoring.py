"""Authors and what they write, for the tests: plain functions."""

from django.utils import timezone

from exercises.choices import Role
from exercises.models import Certificate
from exercises.queries import head_of
from exercises.services import create_exercise
from tests.factories import make_course, make_member

NUMERIC = """\
format: 1
kind: numeric
title: How much
prompt: Count.
answer: 5
"""
CODE = """\
format: 1
kind: code
title: Double it
prompt: Write `double`.
entry: double
"""
NUMERIC_FILES = {"exercise.yaml": NUMERIC}
CODE_FILES = {
    "exercise.yaml": CODE,
    "starter.py": "def double(x): ...\n",
    "reference.py": "def double(x):\n    return 2 * x\n",
    "cases.py": "def visible():\n    return []\n",
}
UNREADABLE_FILES = {"exercise.yaml": "format: 1\nkind: numeric\n"}


def make_author(course, role=Role.INSTRUCTOR, **overrides):
    return make_member(course, role, **overrides)


def make_working_copy(course=None, *, files=None, author=None, slug="how-much"):
    """An exercise that was saved once and is not published."""
    course = course or make_course()
    return create_exercise(course, slug, files=files or NUMERIC_FILES, author=author or make_author(course))


def certify(exercise, **overrides):
    """A certificate for the head."""
    fields = {"exercise": exercise, "grading_hash": head_of(exercise).grading_hash, "checked_at": timezone.now()}
    return Certificate.objects.create(**{**fields, **overrides})
