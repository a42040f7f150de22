"""The four who ask for a page, by one word each."""

import pytest

from exercises.choices import Role
from tests.factories import make_course, make_member, make_user

ROLES = ("owner", "classmate", "stranger", "teacher")


def make_people(course=None):
    course = course or make_course()
    other = make_course()
    return {
        "course": course,
        "owner": make_member(course),
        "classmate": make_member(course),
        "stranger": make_member(other, role=Role.INSTRUCTOR),
        "teacher": make_member(course, role=Role.INSTRUCTOR),
        "outsider": make_user(),
    }


def expecting(**statuses):
    """One test case for each role: `expecting(owner=200, classmate=404, …)`."""
    assert set(statuses) == set(ROLES)
    return pytest.mark.parametrize(("who", "status"), statuses.items())
