from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.choices import Kind, Role
from exercises.models import Submission
from exercises.queries.overview import (
    activity_of,
    assignments_with_hand_ins,
    hardest_now,
    latest_hand_ins,
    students_at_risk,
    students_at_work,
    waiting_in,
)
from exercises.services import submit
from graders.outcomes import Verdict
from tests.factories import (
    make_assignment,
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_submission,
)

pytestmark = pytest.mark.django_db

WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=1)
NOW = timezone.now()


def aged(submission, **age):
    Submission.objects.filter(pk=submission.pk).update(created_at=NOW - timedelta(**age))


def make_class(number):
    """A course with members who were there a month ago."""
    course = make_course()
    members = [make_member(course, last_name=chr(65 + place)) for place in range(number)]
    course.memberships.update(joined_at=NOW - timedelta(days=30))
    return course, members


def risks(course):
    found = students_at_risk(course, students_at_work(course), at=NOW)
    return {risk.member.user: risk for risk in found}


def test_activity_counts_each_student_by_the_last_hand_in():
    course, members = make_class(4)
    exercise = make_exercise(course)
    for student, age in zip(members, ({"minutes": 5}, {"hours": 5}, {"days": 3}), strict=False):
        aged(make_graded(student, exercise), days=20)
        aged(make_graded(student, exercise), **age)
    make_graded(make_member(course, Role.INSTRUCTOR), exercise)

    found = activity_of(students_at_work(course), at=NOW)

    assert (found.students, found.just_now, found.today, found.this_week) == (4, 1, 2, 3)


def test_who_is_silent_while_others_work_is_at_risk():
    course, (ada, bo, cy) = make_class(3)
    exercise = make_exercise(course)
    aged(make_graded(ada, exercise), days=1)
    aged(make_graded(bo, exercise), days=8)

    found = risks(course)

    assert set(found) == {bo, cy}
    assert found[bo].is_silent
    assert found[cy].last_at is None


def test_nobody_is_silent_in_a_quiet_week_or_just_after_joining():
    course, members = make_class(2)
    exercise = make_exercise(course)
    aged(make_graded(members[0], exercise), days=9)

    assert risks(course) == {}

    aged(make_graded(members[0], exercise), days=1)
    course.memberships.filter(user=members[1]).update(joined_at=NOW - timedelta(days=2))
    assert risks(course) == {}


def test_an_assignment_that_came_due_with_nothing_in_it_is_missed():
    course, (ada, bo, cy) = make_class(3)
    exercise = make_exercise(course)
    due = {"due_at": NOW - timedelta(days=2)}
    first, second = make_assignment(exercise, **due), make_assignment(exercise, **due)
    make_assignment(exercise, is_hidden=True, **due)
    make_assignment(exercise, due_at=NOW + timedelta(days=2))
    make_graded(ada, exercise, assignment=first.slug)
    make_graded(ada, exercise, assignment=second.slug)
    make_graded(bo, exercise, assignment=first.slug)
    second.extensions.create(student=cy, due_at=NOW + timedelta(days=1))

    found = risks(course)

    assert {student: risk.missed for student, risk in found.items()} == {bo: 1, cy: 1}


def test_nobody_missed_what_was_due_before_they_came():
    course, (late,) = make_class(1)
    make_assignment(make_exercise(course), due_at=NOW - timedelta(days=40))

    assert late not in risks(course)


def test_who_is_stuck_at_three_exercises_is_at_risk():
    course, (ada, bo) = make_class(2)
    exercises = [make_exercise(course) for _ in range(3)]
    for exercise in exercises:
        for _ in range(3):
            make_graded(ada, exercise, outcome=WRONG)
    for exercise in exercises[:2]:
        for _ in range(3):
            make_graded(bo, exercise, outcome=WRONG)

    found = risks(course)

    assert {student: risk.stuck for student, risk in found.items()} == {ada: 3}


def test_hardest_are_those_at_work_with_the_least_facility():
    course, members = make_class(5)
    easy, hard, rare, old = (make_exercise(course) for _ in range(4))
    for student in members:
        make_graded(student, easy)
        make_graded(student, hard, outcome=WRONG)
        aged(make_graded(student, old, outcome=WRONG), days=8)
    make_graded(members[0], rare, outcome=WRONG)

    found = hardest_now(course, at=NOW, most=5)

    assert [item.exercise for item in found] == [hard, easy]
    assert [item.facility for item in found] == [pytest.approx(0.25), pytest.approx(1)]
    assert [(item.students, item.solved, item.stuck) for item in found] == [(5, 0, 0), (5, 5, 0)]


def test_assignments_tell_how_many_students_handed_in():
    course, (ada, bo, _cy) = make_class(3)
    exercise, other = make_exercise(course), make_exercise(course)
    assignment = make_assignment(exercise, other)
    empty = make_assignment(make_exercise(course), is_hidden=True)
    for student in (ada, ada, bo):
        make_graded(student, exercise, assignment=assignment.slug)
    make_graded(ada, other, assignment=assignment.slug)

    assert {row: row.handed_in for row in assignments_with_hand_ins(course)} == {assignment: 2, empty: 0}


def test_what_waits_is_counted_by_whom_it_waits_for():
    course, (ada, bo) = make_class(2)
    make_submission(ada, make_exercise(course))
    submit(bo, make_exercise(course, kind=Kind.EXPLAIN), response="So it is.")
    course.questions.create(student=ada, text="Why?")
    make_submission()

    found = waiting_in(course)

    assert (found.for_workers, found.for_review, found.questions) == (1, 1, 1)


def test_latest_are_the_newest_of_students_alone():
    course, (ada,) = make_class(1)
    exercise = make_exercise(course)
    first, second = make_graded(ada, exercise), make_graded(ada, exercise)
    make_graded(make_member(course, Role.INSTRUCTOR), exercise)

    assert latest_hand_ins(course, students_at_work(course), most=2) == [second, first]
