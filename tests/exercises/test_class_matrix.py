from decimal import Decimal

import pytest

from exercises.choices import Role
from exercises.queries.classes import Picked, all_rows, class_exercises, class_members, matrix_rows, sections_of
from graders.outcomes import Verdict
from tests.factories import make_course, make_exercise, make_graded, make_member, make_outcome

pytestmark = pytest.mark.django_db

HALF = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(2))


def rows_of(course, **picked):
    return list(all_rows(course, Picked(**picked), class_exercises(course)))


def students(course, **picked):
    return [row.student for row in rows_of(course, **picked)]


def test_each_student_has_a_row_and_each_exercise_a_column():
    course = make_course()
    ada, bo = make_member(course, last_name="A"), make_member(course, last_name="B")
    first, second = make_exercise(course, version={"points": 10}), make_exercise(course, version={"points": 3})
    make_graded(bo, first, outcome=HALF)
    make_graded(bo, second)

    rows = rows_of(course)

    assert class_exercises(course) == [first, second]
    assert [row.student for row in rows] == [ada, bo]
    assert [row.points for row in rows] == [0, 8]
    assert [row.solved for row in rows] == [0, 1]
    assert [score and score.verdict for score in rows[1].best] == ["wrong_answer", "accepted"]
    assert rows[0].best == (None, None)


def test_staff_previews_and_other_courses_are_left_out():
    course = make_course()
    student = make_member(course)
    for role in (Role.INSTRUCTOR, Role.ASSISTANT):
        make_member(course, role)
    course.memberships.create(user=make_member(make_course()), role=Role.PREVIEW)
    make_graded(student, make_exercise())
    make_exercise(course, is_retired=True)

    assert class_exercises(course) == []
    assert students(course) == [student]


def test_student_here_who_teaches_elsewhere_is_listed_once():
    course = make_course()
    student = make_member(course)
    make_course().memberships.create(user=student, role=Role.INSTRUCTOR)

    assert students(course) == [student]


def test_rows_come_in_every_order_both_ways():
    course = make_course()
    easy, hard = make_exercise(course), make_exercise(course)
    ada, bo, cy = (make_member(course, last_name=name) for name in "ABC")
    make_graded(bo, easy)
    make_graded(cy, easy, outcome=HALF)
    make_graded(cy, hard, outcome=HALF)

    assert students(course, sort="-name") == [cy, bo, ada]
    assert students(course, sort="-solved") == [bo, ada, cy] or students(course, sort="-solved") == [bo, cy, ada]
    assert students(course, sort="points")[0] == ada
    assert students(course, sort=f"-{easy.slug}") == [bo, cy, ada]
    assert students(course, sort=hard.slug) == [ada, bo, cy]


def test_a_section_and_who_is_stuck_are_picked():
    course = make_course()
    exercise = make_exercise(course)
    ada, bo = make_member(course), make_member(course)
    course.memberships.filter(user=ada).update(section="Group 10")
    course.memberships.filter(user=bo).update(section="Group 9")
    for _ in range(3):
        make_graded(bo, exercise, outcome=HALF)

    assert sections_of(course) == ["Group 9", "Group 10"]
    assert students(course, section="Group 10") == [ada]
    assert students(course, is_stuck=True) == [bo]
    assert students(course, section="Group 10", is_stuck=True) == []


@pytest.mark.parametrize("sort", ["name", "-points", "-solved", "section"])
def test_queries_do_not_grow_with_the_class(sort, django_assert_num_queries):
    course = make_course()
    exercises = [make_exercise(course) for _ in range(3)]
    for _ in range(3):
        make_graded(make_member(course), exercises[0])

    with django_assert_num_queries(3):
        shown = class_exercises(course)
        members = list(class_members(course, Picked(sort=sort), shown)[:40])
        assert [row.solved for row in matrix_rows(members, shown)] == [1] * 3
