import pytest

from exercises.choices import Role
from exercises.errors import CourseNotOpenError
from exercises.queries import open_courses, visible_courses
from exercises.services import join_open_course
from tests.factories import make_course, make_user

pytestmark = pytest.mark.django_db


def test_anyone_may_join_a_self_paced_course():
    course, user = make_course(self_paced=True), make_user()

    assert join_open_course(user, course).role == Role.STUDENT
    assert list(visible_courses(user)) == [course]
    assert list(open_courses(user)) == []


def test_course_with_staff_takes_members_by_invitation_only():
    course, user = make_course(self_paced=False), make_user()

    with pytest.raises(CourseNotOpenError):
        join_open_course(user, course)

    assert list(visible_courses(user)) == []


def test_open_courses_are_those_not_joined_yet():
    course = make_course(self_paced=True)
    make_course(self_paced=False)

    assert list(open_courses(make_user())) == [course]
