from decimal import Decimal

import pytest

from exercises.choices import Kind
from exercises.models import Course, LessonExercise
from exercises.queries import course_progress, progress
from exercises.services import assess_own, enrol, submit
from graders.outcomes import Verdict
from tests.factories import make_course, make_exercise, make_graded, make_lesson, make_member, make_outcome, make_user

pytestmark = pytest.mark.django_db

WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(1))


def make_lesson_with_exercises(course, count):
    lesson = make_lesson(course)
    exercises = [make_exercise(course) for _ in range(count)]
    for position, exercise in enumerate(exercises):
        LessonExercise.objects.create(lesson=lesson, exercise=exercise, position=position)
    return lesson, exercises


def test_lessons_and_exercises_come_in_order_with_the_best_scores():
    course = make_course()
    student = make_member(course)
    lesson, (first, second) = make_lesson_with_exercises(course, 2)
    outside = make_exercise(course)
    make_graded(student, first)
    make_graded(student, second, outcome=WRONG)
    make_graded(exercise=outside)

    [found] = progress(student)

    assert found.course == course
    assert [(item.exercise, item.is_solved) for item in found.exercises] == [
        (first, True),
        (second, False),
        (outside, False),
    ]
    assert [item.best and item.best.score for item in found.exercises] == [4, 1, None]
    assert found.solved == 1
    [in_lesson] = found.lessons
    assert [item.exercise for item in in_lesson.exercises] == [first, second]
    assert not in_lesson.is_solved


def test_lesson_is_solved_when_all_its_exercises_are():
    course = make_course()
    student = make_member(course)
    _, exercises = make_lesson_with_exercises(course, 2)
    make_lesson(course)
    for exercise in exercises:
        make_graded(student, exercise)

    assert [lesson.is_solved for lesson in course_progress(student, course).lessons] == [True, False]


def test_what_is_retired_does_not_count():
    course = make_course()
    student = make_member(course)
    lesson, [exercise] = make_lesson_with_exercises(course, 1)
    exercise.is_retired = True
    exercise.save()
    make_lesson(course, is_retired=True)

    found = course_progress(student, course)

    assert found.exercises == ()
    assert [(item.lesson, item.exercises) for item in found.lessons] == [(lesson, ())]


def test_stranger_has_no_progress():
    course, stranger = make_course(), make_user()

    assert progress(stranger) == []
    with pytest.raises(Course.DoesNotExist):
        course_progress(stranger, course)


@pytest.mark.parametrize("count", [1, 3])
def test_queries_do_not_grow_with_courses_lessons_and_exercises(count, django_assert_num_queries):
    student = make_user()
    for _ in range(count):
        course = make_course()
        enrol(student, course)
        _, exercises = make_lesson_with_exercises(course, count)
        make_graded(student, exercises[0])

    with django_assert_num_queries(7):
        found = progress(student)
        assert sum(item.solved for item in found) == count
        assert [exercise.exercise.published.title for item in found for exercise in item.exercises]


def test_explanation_waits_for_a_person_until_it_is_judged():
    exercise = make_exercise(make_course(self_paced=True), kind=Kind.EXPLAIN)
    student = make_member(exercise.course)
    submission = submit(student, exercise, response="Because.")

    [before] = course_progress(student, exercise.course).exercises
    assess_own(submission, student=student, points={"Names the spread": 2, "Names the softmax": 1})
    [after] = course_progress(student, exercise.course).exercises

    assert (before.is_waiting, before.is_solved) == (True, False)
    assert (after.is_waiting, after.is_solved) == (False, True)
