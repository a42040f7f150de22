from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from exercises.choices import Lane, State
from exercises.models import BestScore, Course, Exercise, Grading, Lesson, User
from exercises.queries.best_scores import shown_best_scores
from exercises.queries.courses import exercises_shown_to, visible_courses
from exercises.queries.solutions import exercises_given_up
from exercises.queries.withheld import Withheld, withheld_from, withheld_gradings


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseProgress:
    """How far a student is with one exercise; `best` is None before the first outcome that they may see.

    `is_waiting`: something is handed in that waits for a person, or whose outcome an assignment withholds.
    `is_given_up`: it was given up for its solution, and what is handed in is practice.
    """

    exercise: Exercise
    best: BestScore | None
    is_waiting: bool = False
    is_given_up: bool = False

    @property
    def is_solved(self) -> bool:
        """Whether a submission in force is accepted."""
        return self.best is not None and self.best.solved_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonProgress:
    """The exercises of a lesson, in its order."""

    lesson: Lesson
    exercises: tuple[ExerciseProgress, ...]

    @property
    def is_solved(self) -> bool:
        """Whether all of its exercises are; a lesson without any is never solved."""
        return bool(self.exercises) and all(item.is_solved for item in self.exercises)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseProgress:
    """A course with its lessons; `exercises` are all of the course, each once, also those outside of lessons."""

    course: Course
    lessons: tuple[LessonProgress, ...]
    exercises: tuple[ExerciseProgress, ...]

    @property
    def solved(self) -> int:
        """How many exercises are solved."""
        return sum(item.is_solved for item in self.exercises)


def progress(user: User, *, withheld: Withheld | None = None) -> list[CourseProgress]:
    """How far the user is in each of their courses. The number of queries does not grow with the courses.

    `withheld` is what `queries.withheld` says for the user, if that is known already.
    """
    withheld = withheld_from(user) if withheld is None else withheld
    best = shown_best_scores(user, BestScore.objects.all(), withheld=withheld)
    waiting, given_up = exercises_under_review(user, withheld=withheld), exercises_given_up(user)
    return [_of_course(course, best, waiting, given_up) for course in _courses(user)]


def course_progress(user: User, course: Course, *, for_staff: bool = False) -> CourseProgress:
    """How far the user is in one course; `for_staff` with what assignments withhold from the user.

    Raises:
        Course.DoesNotExist: they are no member of it.
    """
    scores = BestScore.objects.filter(student=user, exercise__course=course)
    withheld = withheld_from(user)
    best = {row.exercise_id: row for row in scores} if for_staff else shown_best_scores(user, scores, withheld=withheld)
    waiting, given_up = exercises_under_review(user, withheld=withheld), exercises_given_up(user)
    return _of_course(_courses(user).get(pk=course.pk), best, waiting, given_up)


def exercises_under_review(user: User, *, withheld: Withheld) -> set[int]:
    """Ids of the exercises to which the user has handed in what waits for a person, or is withheld so far."""
    waiting = Grading.objects.filter(student=user, in_force=True, state=State.QUEUED, lane=Lane.REVIEW)
    return {
        *waiting.values_list("submission__exercise_id", flat=True),
        *(grading.submission.exercise_id for grading in withheld_gradings(user, withheld)),
    }


def _courses(user: User) -> QuerySet[Course]:
    lessons = Lesson.objects.filter(is_retired=False).defer("source", "html", "search_text")
    return visible_courses(user).prefetch_related(
        Prefetch("lessons", lessons.prefetch_related("embedded")), Prefetch("exercises", exercises_shown_to(user))
    )


def _of_course(
    course: Course, best: Mapping[int, BestScore], waiting: Collection[int], given_up: Collection[int]
) -> CourseProgress:
    by_exercise = {
        exercise.pk: ExerciseProgress(
            exercise=exercise,
            best=best.get(exercise.pk),
            is_waiting=exercise.pk in waiting,
            is_given_up=exercise.pk in given_up,
        )
        for exercise in course.exercises.all()
    }
    lessons = tuple(_of_lesson(lesson, by_exercise) for lesson in course.lessons.all())
    return CourseProgress(course=course, lessons=lessons, exercises=tuple(by_exercise.values()))


def _of_lesson(lesson: Lesson, by_exercise: Mapping[int, ExerciseProgress]) -> LessonProgress:
    embedded = [item.exercise_id for item in lesson.embedded.all()]
    return LessonProgress(lesson=lesson, exercises=tuple(by_exercise[pk] for pk in embedded if pk in by_exercise))
