from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from exercises.choices import ActivityKind, Lane, State
from exercises.models import Activity, BestScore, Course, Exercise, Grading, Lesson, User
from exercises.queries.best_scores import shown_best_scores
from exercises.queries.courses import exercises_shown_to, visible_courses
from exercises.queries.withheld import Withheld, touched_gradings, withheld_from


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
    gradings = touched_gradings(user, withheld, waiting=True)
    best = shown_best_scores(user, BestScore.objects.all(), withheld=withheld, gradings=gradings)
    waiting = exercises_under_review(withheld, gradings)
    return [_of_course(course, best, waiting) for course in _courses(user)]


def course_progress(user: User, course: Course, *, for_staff: bool = False) -> CourseProgress:
    """How far the user is in one course; `for_staff` with what assignments withhold from the user.

    Raises:
        Course.DoesNotExist: they are no member of it.
    """
    scores = BestScore.objects.filter(student=user, exercise__course=course)
    withheld = withheld_from(user)
    gradings = touched_gradings(user, withheld, waiting=True)
    shown = shown_best_scores(user, scores, withheld=withheld, gradings=gradings) if not for_staff else None
    best = {row.exercise_id: row for row in scores} if shown is None else shown
    return _of_course(_courses(user).get(pk=course.pk), best, exercises_under_review(withheld, gradings))


def exercises_under_review(withheld: Withheld, gradings: Iterable[Grading]) -> set[int]:
    """Ids of the exercises to which a user has handed in what waits for a person, or is withheld so far.

    `gradings` are the `touched_gradings` of that user, with those that are waiting.
    """
    return {
        grading.submission.exercise_id
        for grading in gradings
        if (grading.state == State.QUEUED and grading.lane == Lane.REVIEW) or withheld.hides(grading)
    }


def _courses(user: User) -> QuerySet[Course]:
    lessons = Lesson.objects.filter(is_retired=False).defer("source", "html", "search_text")
    given_up = Activity.objects.filter(student=user, exercise=OuterRef("pk"), kind=ActivityKind.GAVE_UP)
    exercises = exercises_shown_to(user).annotate(is_given_up=Exists(given_up))
    return visible_courses(user).prefetch_related(
        Prefetch("lessons", lessons.prefetch_related("embedded")), Prefetch("exercises", exercises)
    )


def _of_course(course: Course, best: Mapping[int, BestScore], waiting: Collection[int]) -> CourseProgress:
    """The progress in one of `_courses`."""
    by_exercise = {
        exercise.pk: ExerciseProgress(
            exercise=exercise,
            best=best.get(exercise.pk),
            is_waiting=exercise.pk in waiting,
            is_given_up=getattr(exercise, "is_given_up", False),
        )
        for exercise in course.exercises.all()
    }
    lessons = tuple(_of_lesson(lesson, by_exercise) for lesson in course.lessons.all())
    return CourseProgress(course=course, lessons=lessons, exercises=tuple(by_exercise.values()))


def _of_lesson(lesson: Lesson, by_exercise: Mapping[int, ExerciseProgress]) -> LessonProgress:
    embedded = [item.exercise_id for item in lesson.embedded.all()]
    return LessonProgress(lesson=lesson, exercises=tuple(by_exercise[pk] for pk in embedded if pk in by_exercise))
