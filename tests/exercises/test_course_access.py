import pytest

from exercises.choices import Role
from exercises.models import Exercise, Lesson
from exercises.queries import exercise_for, is_staff_of, lesson_for, role_in, visible_courses
from tests.factories import make_course, make_exercise, make_lesson, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def course():
    return make_course(slug="numbers")


def test_members_see_their_courses_with_their_role(course):
    make_course()
    assistant = make_member(course, Role.ASSISTANT)
    make_member(course)

    assert [(item, item.role) for item in visible_courses(assistant)] == [(course, Role.ASSISTANT)]


def test_roles_belong_to_one_course(course):
    instructor = make_member(course, Role.INSTRUCTOR)
    elsewhere = make_course()

    assert (role_in(instructor, course), role_in(instructor, elsewhere)) == (Role.INSTRUCTOR, None)
    assert (is_staff_of(instructor, course), is_staff_of(instructor, elsewhere)) == (True, False)
    assert not is_staff_of(make_member(course), course)


@pytest.mark.parametrize("role", Role)
def test_members_find_exercises_and_lessons(course, role):
    exercise, lesson, member = make_exercise(course), make_lesson(course), make_member(course, role)

    assert exercise_for(member, "numbers", exercise.slug) == exercise
    assert lesson_for(member, "numbers", lesson.slug) == lesson


def test_strangers_find_nothing(course):
    exercise, lesson, stranger = make_exercise(course), make_lesson(course), make_user()

    with pytest.raises(Exercise.DoesNotExist):
        exercise_for(stranger, "numbers", exercise.slug)
    with pytest.raises(Lesson.DoesNotExist):
        lesson_for(stranger, "numbers", lesson.slug)


def test_member_of_another_course_finds_nothing(course):
    exercise, member = make_exercise(course, slug="same"), make_member(make_exercise(slug="same").course)

    with pytest.raises(Exercise.DoesNotExist):
        exercise_for(member, "numbers", exercise.slug)


def test_what_is_retired_is_not_found(course):
    exercise, lesson = make_exercise(course, is_retired=True), make_lesson(course, is_retired=True)
    member = make_member(course)

    with pytest.raises(Exercise.DoesNotExist):
        exercise_for(member, "numbers", exercise.slug)
    with pytest.raises(Lesson.DoesNotExist):
        lesson_for(member, "numbers", lesson.slug)


def test_unpublished_exercise_is_not_found(course):
    exercise = Exercise.objects.create(course=course, slug="draft")

    with pytest.raises(Exercise.DoesNotExist):
        exercise_for(make_member(course), "numbers", exercise.slug)
