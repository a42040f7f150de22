"""The same for a section or for everyone, such as after an outage."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from exercises.choices import AuditAction, Role
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import AssignmentStart, AuditEntry, Extension, Membership, Notice
from exercises.queries import attempts_left, window_of
from exercises.services import grant_extension, start_assignment
from exercises.services.grants import Grant, grant_together
from tests.factories import make_assignment, make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def assignment():
    return make_assignment(make_exercise(max_attempts=2), title="Week 1", due_at=NOON, closes_at=NOON + 24 * HOUR)


@pytest.fixture
def teacher(assignment):
    return make_member(assignment.course, role=Role.INSTRUCTOR)


@pytest.fixture
def students(assignment):
    return [make_member(assignment.course) for _ in range(3)]


def give(assignment, teacher, students, **grant):
    ids = [student.pk for student in students]
    return grant_together(
        assignment.course,
        Grant(assignment=assignment, **grant),
        student_ids=ids,
        who="everyone",
        author=teacher,
        reason="The site was down.",
    )


def test_dates_move_no_further_than_dates_go(assignment, teacher, students):
    assignment.due_at = assignment.closes_at = datetime(2099, 12, 31, tzinfo=UTC)
    assignment.save()

    with pytest.raises(InvalidFieldError, match="2099"):
        give(assignment, teacher, students, minutes=60 * 24 * 60)

    assert not Extension.objects.exists()


@pytest.mark.parametrize("at", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)])
@pytest.mark.parametrize("field", ["due_at", "closes_at"])
def test_extension_to_the_end_of_the_calendar_is_refused(assignment, teacher, students, field, at):
    with pytest.raises(InvalidFieldError, match="2099") as refusal:
        grant_extension(assignment, student=students[0], author=teacher, **{field: at})

    assert refusal.value.field == field


def test_dates_move_for_each_from_where_they_were(assignment, teacher, students):
    grant_extension(assignment, student=students[0], author=teacher, due_at=NOON + HOUR, extra_attempts=1, reason="Ill")

    assert give(assignment, teacher, students, minutes=90, extra_attempts=1) == 3

    windows = [window_of(assignment, student) for student in students]
    assert [window.due_at for window in windows] == [NOON + 2.5 * HOUR, NOON + 1.5 * HOUR, NOON + 1.5 * HOUR]
    assert {window.closes_at for window in windows} == {NOON + 25.5 * HOUR}
    exercise = assignment.exercises.get()
    assert [attempts_left(student, exercise, assignment=assignment) for student in students] == [4, 3, 3]
    assert Extension.objects.get(student=students[0]).reason == "Ill\nThe site was down."


def test_record_has_one_entry_and_each_is_told(assignment, teacher, students):
    give(assignment, teacher, students, minutes=90)

    entry = AuditEntry.objects.get()
    assert (entry.action, entry.target) == (AuditAction.GRANTED_TOGETHER, "everyone")
    assert entry.details == {
        "students": 3,
        "assignment": assignment.slug,
        "minutes": 90,
        "reason": "The site was down.",
    }
    told = set(Notice.objects.values_list("user_id", "text"))
    assert told == {(student.pk, "“Week 1”: the dates are 1 hour 30 minutes later for you.") for student in students}


def test_hidden_assignment_is_not_told_of(assignment, teacher, students):
    assignment.is_hidden = True
    assignment.save()

    give(assignment, teacher, students, minutes=90)

    assert not Notice.objects.exists()


def test_number_of_queries_does_not_grow_with_the_students(assignment, teacher, students, django_assert_num_queries):
    with django_assert_num_queries(10):
        give(assignment, teacher, students[:1], minutes=90, clock_minutes=5)
    with django_assert_num_queries(10):
        give(assignment, teacher, students[1:], minutes=90, clock_minutes=5)


def test_clocks_that_run_or_have_just_ended_by_themselves_run_longer(teacher, students):
    quiz = make_assignment(make_exercise(teacher.courses.get()), is_quiz=True, minutes=30, closes_at=NOON + HOUR)
    running, ended, early = students
    with time_machine.travel(NOON, tick=False):
        for student in students:
            start_assignment(student, quiz)
    AssignmentStart.objects.filter(student=ended).update(ends_at=NOON + 5 * MINUTE, handed_in_at=NOON + 5 * MINUTE)
    AssignmentStart.objects.filter(student=early).update(handed_in_at=NOON + MINUTE)

    with time_machine.travel(NOON + 10 * MINUTE, tick=False):
        give(quiz, teacher, students, clock_minutes=20)

    starts = {row.student_id: (row.ends_at, row.handed_in_at) for row in AssignmentStart.objects.all()}
    assert starts[running.pk] == (NOON + 50 * MINUTE, None)
    assert starts[ended.pk] == (NOON + 25 * MINUTE, None)
    assert starts[early.pk] == (NOON + 30 * MINUTE, NOON + MINUTE)


def test_clock_does_not_run_past_the_closing_date(teacher, students):
    quiz = make_assignment(make_exercise(teacher.courses.get()), is_quiz=True, minutes=30, closes_at=NOON + HOUR)
    with time_machine.travel(NOON, tick=False):
        start_assignment(students[0], quiz)
        give(quiz, teacher, students, clock_minutes=120)

    assert AssignmentStart.objects.get().ends_at == NOON + HOUR


def test_factor_is_set_without_an_assignment(assignment, teacher, students):
    grant_together(
        assignment.course,
        Grant(factor=Decimal("1.25")),
        student_ids=[students[0].pk],
        who="one",
        author=teacher,
        reason="As agreed.",
    )

    factors = Membership.objects.filter(role=Role.STUDENT).order_by("pk").values_list("extra_time_factor", flat=True)
    assert list(factors) == [Decimal("1.25"), Decimal(1), Decimal(1)]


@pytest.mark.parametrize(
    ("grant", "field"),
    [
        ({}, "what"),
        ({"minutes": -1}, "minutes"),
        ({"minutes": 86_401}, "minutes"),
        ({"clock_minutes": -1, "minutes": 1}, "clock_minutes"),
        ({"extra_attempts": 1001}, "extra_attempts"),
        ({"factor": Decimal("0.5")}, "factor"),
        ({"assignment": None, "minutes": 5}, "assignment"),
    ],
)
def test_what_is_out_of_bounds_is_refused(assignment, teacher, students, grant, field):
    with pytest.raises(InvalidFieldError) as caught:
        grant_together(
            assignment.course,
            Grant(**{"assignment": assignment, **grant}),
            student_ids=[students[0].pk],
            who="one",
            author=teacher,
            reason="So.",
        )

    assert caught.value.field == field


def test_only_students_of_the_course_get_it_and_only_instructors_give_it(assignment, teacher, students):
    with pytest.raises(InvalidFieldError, match="no student"):
        give(assignment, teacher, [teacher, make_member(make_course())], minutes=5)
    for person in (students[0], make_member(assignment.course, role=Role.ASSISTANT)):
        with pytest.raises(NotAllowedError):
            give(assignment, person, students, minutes=5)
    with pytest.raises(InvalidFieldError, match="another course"):
        grant_together(
            make_course_of(teacher),
            Grant(assignment=assignment, minutes=5),
            student_ids=[students[0].pk],
            who="one",
            author=teacher,
            reason="So.",
        )


def make_course_of(teacher):
    """Another course that the teacher teaches."""
    course = make_course()
    course.memberships.create(user=teacher, role=Role.INSTRUCTOR)
    return course
