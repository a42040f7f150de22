"""Instructors give a student more time: later dates and attempts for an assignment, and longer clocks in a course."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse

from exercises.choices import AuditAction, Kind, Role
from exercises.models import AuditEntry, Extension, Notice
from exercises.queries import window_of
from exercises.services import start_assignment
from tests.factories import make_assignment, make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def course():
    return make_course(time_zone="Europe/Berlin")


@pytest.fixture
def teacher(course):
    return make_member(course, role=Role.INSTRUCTOR)


@pytest.fixture
def student(course):
    return make_member(course)


@pytest.fixture
def exercise(course):
    return make_exercise(course, kind=Kind.NUMERIC)


@pytest.fixture(autouse=True)
def signed_in(client, teacher):
    client.force_login(teacher)


def page(name, *arguments):
    return reverse(f"teach:{name}", args=arguments)


def test_extension_is_granted_told_and_recorded(client, course, exercise, student, teacher):
    assignment = make_assignment(exercise, due_at=NOON, closes_at=NOON + HOUR)

    answer = client.post(
        page("extend", course.slug, assignment.slug),
        {"student": student.pk, "due_at": "2026-06-05T14:00", "extra_attempts": "2", "reason": "ill"},
    )

    assert answer.status_code == 302
    extension = Extension.objects.get()
    assert (extension.student, extension.extra_attempts, extension.granted_by) == (student, 2, teacher)
    assert extension.due_at == extension.closes_at == NOON + 4 * DAY
    assert window_of(assignment, student).closes_at == NOON + 4 * DAY
    notice = Notice.objects.get()
    assert (notice.user, "ill" in notice.text) == (student, False)
    assert AuditEntry.objects.get().action == AuditAction.EXTENSION_GRANTED
    assert "ill" in client.get(page("assignment", course.slug, assignment.slug)).content.decode()


def test_later_extension_takes_the_place_of_the_first(client, course, exercise, student):
    assignment = make_assignment(exercise, due_at=NOON)
    for attempts in ("1", "3"):
        client.post(page("extend", course.slug, assignment.slug), {"student": student.pk, "extra_attempts": attempts})

    assert Extension.objects.get().extra_attempts == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"student": "0"},
        {"due_at": "2026-06-05T14:00", "closes_at": "2026-06-04T14:00"},
        {"extra_attempts": "-1"},
        {"extra_attempts": "99999"},
    ],
)
def test_extension_that_cannot_be_is_refused_on_the_page(client, course, exercise, student, wrong):
    assignment = make_assignment(exercise, due_at=NOON)

    answer = client.post(page("extend", course.slug, assignment.slug), {"student": student.pk, **wrong})

    assert answer.status_code == 400
    assert not Extension.objects.exists()


def test_staff_are_granted_no_extension(client, course, exercise, teacher):
    assignment = make_assignment(exercise)

    answer = client.post(page("extend", course.slug, assignment.slug), {"student": teacher.pk})

    assert answer.status_code == 400


def test_clock_that_runs_gets_longer_and_never_shorter(client, course, exercise, student):
    quiz = make_assignment(exercise, is_quiz=True, minutes=60, closes_at=NOON + HOUR / 2)
    with time_machine.travel(NOON, tick=False):
        start = start_assignment(student, quiz)
        client.force_login(course.members.exclude(pk=student.pk).get())
        client.post(page("extend", course.slug, quiz.slug), {"student": student.pk, "closes_at": "2026-06-02T14:00"})
        start.refresh_from_db()
        assert start.ends_at == NOON + HOUR

        client.post(page("extra-time", course.slug, student.pk), {"factor": "1.5"})
        start.refresh_from_db()
        assert start.ends_at == NOON + 1.5 * HOUR

        client.post(page("extra-time", course.slug, student.pk), {"factor": "1"})
        start.refresh_from_db()
        assert start.ends_at == NOON + 1.5 * HOUR


def test_extra_time_of_a_student_is_set_shown_and_recorded(client, course, student, teacher):
    client.post(page("extra-time", course.slug, student.pk), {"factor": "1.25"})

    assert course.memberships.get(user=student).extra_time_factor == Decimal("1.25")
    entry = AuditEntry.objects.get(action=AuditAction.EXTRA_TIME_SET)
    assert (entry.actor, entry.details) == (teacher, {"factor": ["1.00", "1.25"]})
    assert 'value="1.25"' in client.get(page("grant", course.slug, student.pk)).content.decode()
    assert "clocks × 1.25" in client.get(page("student", course.slug, student.pk)).content.decode()


@pytest.mark.parametrize("factor", ["0.9", "11", "", "nan", "fast"])
def test_extra_time_that_is_none_is_refused(client, course, student, factor):
    client.post(page("extra-time", course.slug, student.pk), {"factor": factor})

    assert course.memberships.get(user=student).extra_time_factor == 1
