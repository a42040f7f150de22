from decimal import Decimal

import pytest

from exercises.choices import Role
from exercises.queries import class_matrix
from graders.outcomes import Verdict
from tests.factories import make_course, make_exercise, make_graded, make_member, make_outcome

pytestmark = pytest.mark.django_db

HALF = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(2))


def test_each_student_has_a_row_and_each_exercise_a_column():
    course = make_course()
    ada, bo = make_member(course, last_name="A"), make_member(course, last_name="B")
    first, second = make_exercise(course, version={"points": 10}), make_exercise(course, version={"points": 3})
    make_graded(bo, first, outcome=HALF)
    make_graded(bo, second)

    matrix = class_matrix(course)

    assert matrix.exercises == (first, second)
    assert [row.student for row in matrix.rows] == [ada, bo]
    assert [row.points for row in matrix.rows] == [0, 8]
    assert [row.solved for row in matrix.rows] == [0, 1]
    assert [score and score.verdict for score in matrix.rows[1].best] == ["wrong_answer", "accepted"]
    assert matrix.rows[0].best == (None, None)


def test_staff_and_other_courses_are_left_out():
    course = make_course()
    student = make_member(course)
    make_member(course, Role.INSTRUCTOR)
    make_member(course, Role.ASSISTANT)
    make_graded(student, make_exercise())
    make_exercise(course, is_retired=True)

    matrix = class_matrix(course)

    assert matrix.exercises == ()
    assert [row.student for row in matrix.rows] == [student]


def test_student_here_who_teaches_elsewhere_is_listed_once():
    course = make_course()
    student = make_member(course)
    make_course().memberships.create(user=student, role=Role.INSTRUCTOR)

    assert [row.student for row in class_matrix(course).rows] == [student]


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow_with_the_class(count, django_assert_num_queries):
    course = make_course()
    exercises = [make_exercise(course) for _ in range(count)]
    for _ in range(count):
        make_graded(make_member(course), exercises[0])

    with django_assert_num_queries(3):
        assert [row.solved for row in class_matrix(course).rows] == [1] * count
