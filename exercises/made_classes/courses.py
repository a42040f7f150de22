"""The course of a made class: its exercises, weekly assignments, staff and students."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
from django.contrib.auth.hashers import make_password
from django.db import transaction

from exercises.choices import Role
from exercises.content import CourseFolder, ExerciseFolder, read_course
from exercises.made_classes.sizes import WEEKS, ClassSize
from exercises.models import Assignment, AssignmentExercise, Course, Exercise, ExerciseVersion, Membership, User
from exercises.services import load_course

SHIPPED = Path(__file__).parents[1] / "courses" / "attention"
ASSISTANTS = 10
PER_SECTION = 50
CORRECTED_EVERY = 10
"""Every so many exercises one was corrected meanwhile, and has another grading hash since."""
POINTS = 10
FIRST_NAMES = ("Ada", "Ben", "Chi", "Dana", "Emre", "Fatou", "Goran", "Hana", "Ivo", "Jun", "Kofi", "Lena", "Mira")
LAST_NAMES = ("Abe", "Berg", "Costa", "Diaz", "Eder", "Fox", "Gupta", "Holm", "Ito", "Jansen", "Kaya", "Lopez", "Marin")


@transaction.atomic
def make_course(size: ClassSize) -> Course:
    """The shipped course under another name, with as many exercises as asked for; each week has its assignment."""
    course = load_course(_folder(size)).course
    exercises = list(course.exercises.select_related("published"))
    for exercise in exercises[CORRECTED_EVERY - 1 :: CORRECTED_EVERY]:
        _correct(exercise)
    for week in range(WEEKS):
        here = [exercise for place, exercise in enumerate(exercises) if size.week_of(place) == week]
        if here:
            _make_assignment(course, size, week, here)
    return course


@transaction.atomic
def make_people(course: Course, size: ClassSize) -> list[User]:
    """The students in the order of the plan, in sections; beside them an instructor and some assistants."""
    rng = np.random.default_rng(size.seed + 1)
    students = User.objects.bulk_create(
        (_person(f"{size.slug}-{number:04}", rng) for number in range(size.students)), batch_size=1000
    )
    staff = User.objects.bulk_create(
        [
            _person(f"{size.slug}-instructor", rng),
            *(_person(f"{size.slug}-assistant-{n}", rng) for n in range(ASSISTANTS)),
        ]
    )
    members = [
        Membership(
            course=course,
            user=user,
            role=Role.STUDENT,
            section=f"Group {number // PER_SECTION + 1}",
            external_id=f"m{number:05}",
        )
        for number, user in enumerate(students)
    ]
    members += [
        Membership(course=course, user=user, role=Role.ASSISTANT if place else Role.INSTRUCTOR)
        for place, user in enumerate(staff)
    ]
    Membership.objects.bulk_create(members, batch_size=1000)
    # They were there when the course began.
    Membership.objects.filter(course=course).update(joined_at=size.begins_at)
    return students


def _folder(size: ClassSize) -> CourseFolder:
    shipped = read_course(SHIPPED)
    exercises = [_again(shipped.exercises, place) for place in range(size.exercises)]
    slugs = {exercise.slug for exercise in exercises}
    lessons = tuple(
        lesson.model_copy(update={"exercises": tuple(slug for slug in lesson.exercises if slug in slugs)})
        for lesson in shipped.lessons
    )
    course = {"slug": size.slug, "title": f"{shipped.title}, a class of {size.students}", "self_paced": False}
    return shipped.model_copy(update={**course, "exercises": tuple(exercises), "lessons": lessons})


def _again(exercises: tuple[ExerciseFolder, ...], place: int) -> ExerciseFolder:
    """The exercise at this place; once all were taken, from the first on again."""
    found, turn = exercises[place % len(exercises)], place // len(exercises)
    if not turn:
        return found
    return found.model_copy(update={"slug": f"{found.slug}-{turn + 1}", "title": f"{found.title} ({turn + 1})"})


def _correct(exercise: Exercise) -> None:
    before = exercise.published
    assert before is not None
    exercise.published = ExerciseVersion.objects.create(
        exercise=exercise,
        number=before.number + 1,
        content_hash=before.content_hash[::-1],
        grading_hash=before.grading_hash[::-1],
        kind=before.kind,
        title=before.title,
        points=before.points,
        definition=before.definition,
    )
    exercise.save()


def _make_assignment(course: Course, size: ClassSize, week: int, exercises: list[Exercise]) -> None:
    opens_at = size.opens_at(week)
    assignment = Assignment.objects.create(
        course=course,
        title=f"Week {week + 1}",
        slug=f"week-{week + 1}",
        position=week,
        opens_at=opens_at,
        due_at=opens_at + timedelta(days=7),
        closes_at=opens_at + timedelta(days=9),
        late_percent_per_day=20,
    )
    AssignmentExercise.objects.bulk_create(
        AssignmentExercise(assignment=assignment, exercise=exercise, position=place, points=POINTS)
        for place, exercise in enumerate(exercises)
    )


def _person(username: str, rng: np.random.Generator) -> User:
    return User(
        username=username,
        first_name=str(rng.choice(FIRST_NAMES)),
        last_name=f"{rng.choice(LAST_NAMES)}-{rng.choice(LAST_NAMES)}",
        email=f"{username}@example.org",
        password=make_password(None),
    )
