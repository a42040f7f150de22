"""What the database itself refuses, whoever writes."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from exercises.choices import RegradeState, Role, State
from exercises.models import (
    Assignment,
    AssignmentExercise,
    AssignmentStart,
    Certificate,
    Check,
    Comment,
    Course,
    Exercise,
    Extension,
    Membership,
    Override,
    Regrade,
    Submission,
)
from exercises.queries import head_of
from tests.exercises.authoring import make_author, make_working_copy
from tests.factories import make_course, make_exercise, make_graded, make_member

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def student(course):
    return make_member(course)


@pytest.fixture
def assignment(course):
    return Assignment.objects.create(course=course, slug="week-1", title="Week 1")


@pytest.fixture
def exercise(course):
    return make_exercise(course)


def refused(model, **fields):
    """Whether the database refuses such a row."""
    try:
        with transaction.atomic():
            model.objects.create(**fields)
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    ("fields", "is_refused"),
    [
        ({"opens_at": NOW, "due_at": LATER, "closes_at": LATER}, False),
        ({"opens_at": LATER, "due_at": NOW}, True),
        ({"due_at": LATER, "closes_at": NOW}, True),
        ({"opens_at": LATER, "closes_at": NOW}, True),
        ({"closes_at": NOW}, False),
        ({"late_percent_per_day": 101}, True),
        ({"late_percent_per_day": 100}, False),
        ({"minutes": 30}, True),
        ({"minutes": 0, "is_quiz": True}, True),
        ({"minutes": 30, "is_quiz": True}, False),
        ({"slug": "week-1"}, True),
    ],
)
def test_assignment(course, assignment, fields, is_refused):
    assert refused(Assignment, **{"course": course, "slug": "week-2", "title": "Week 2", **fields}) == is_refused


def test_one_of_each_for_a_student_in_an_assignment(assignment, exercise, student):
    once = {"assignment": assignment, "student": student}
    item = {"assignment": assignment, "exercise": exercise, "points": 1}

    assert [refused(AssignmentStart, **once) for _ in range(2)] == [False, True]
    assert [refused(Extension, **once) for _ in range(2)] == [False, True]
    assert [refused(AssignmentExercise, **item, position=number) for number in range(2)] == [False, True]
    assert refused(Extension, assignment=assignment, student=make_member(exercise.course), due_at=LATER, closes_at=NOW)


def test_one_override_stands_for_a_student_and_an_exercise(assignment, exercise, student):
    fields = {"student": student, "exercise": exercise, "score": Decimal(2), "max_score": Decimal(4), "reason": "Fair."}

    assert not refused(Override, **fields, withdrawn_at=NOW)
    assert [refused(Override, **fields) for _ in range(2)] == [False, True]
    assert [refused(Override, **fields, assignment=assignment) for _ in range(2)] == [False, True]
    assert refused(Override, **{**fields, "student": make_member(exercise.course), "score": Decimal(-1)})


def test_assignment_with_submissions_stays(assignment, exercise, student):
    Submission.objects.create(
        student=student,
        exercise=exercise,
        version=exercise.published,
        receipt="7F3K-22XA",
        body_hash="x",
        assignment=assignment,
    )

    with pytest.raises(ProtectedError):
        assignment.delete()


def test_external_ids_are_one_persons_and_clocks_grow_only(course):
    members = [make_member(course), make_member(course)]

    def changed(**fields):
        return Membership.objects.filter(user=members[1]).update(**fields)

    Membership.objects.filter(user=members[0]).update(external_id="4711")
    for fields in ({"external_id": "4711"}, {"extra_time_factor": Decimal("0.9")}):
        with pytest.raises(IntegrityError), transaction.atomic():
            changed(**fields)
    assert changed(extra_time_factor=Decimal("1.25"), external_id="4712") == 1


def test_shares_are_shares(exercise):
    assert refused(Course, slug="other", title="Other", required_score=1.5)
    fields = {"exercise": exercise, "checked_at": NOW}
    assert refused(Certificate, grading_hash="a", mutation_score=1.5, **fields)
    assert [refused(Certificate, grading_hash="a", **fields) for _ in range(2)] == [False, True]


def test_schedule_has_a_version_and_a_time(exercise):
    for fields in ({"scheduled_at": NOW}, {"scheduled_version": exercise.published}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Exercise.objects.update(**fields)


def test_one_open_check_and_one_open_regrade_for_an_exercise(course):
    exercise = make_working_copy(course, author=make_author(course, Role.INSTRUCTOR))
    checks = {"exercise": exercise, "revision": head_of(exercise)}
    regrades = {"exercise": exercise, "version": make_exercise(course).published}

    assert not refused(Check, **checks, state=State.FINISHED)
    assert [refused(Check, **checks, state=state) for state in (State.QUEUED, State.RUNNING)] == [False, True]
    assert not refused(Regrade, **regrades, state=RegradeState.APPLIED)
    assert [refused(Regrade, **regrades, state=state) for state in (RegradeState.PREVIEW, RegradeState.APPLYING)] == [
        False,
        True,
    ]


def test_comment_is_at_a_line_or_of_the_whole(student):
    fields = {"submission": make_graded(student), "author": student, "text": "Why?"}

    assert [refused(Comment, **fields, line=line) for line in (None, 1, 0)] == [False, False, True]
