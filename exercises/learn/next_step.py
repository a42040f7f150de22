"""What a student does next: the one answer that the start page gives at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from exercises.choices import Kind
from exercises.learn.rows import exercise_url
from exercises.models import Course, Draft, User
from exercises.queries import CourseProgress, ExerciseProgress, LessonProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    reason: str
    title: str
    summary: str
    url: str
    action: str
    icon: str


def next_step(student: User, courses: Iterable[CourseProgress]) -> NextStep | None:
    """What was begun last and not solved; else the next unsolved exercise, by way of its lesson if that is new."""
    courses = list(courses)
    return _begun(student, courses) or next((step for course in courses if (step := _in_course(course))), None)


def _begun(student: User, courses: list[CourseProgress]) -> NextStep | None:
    unsolved = {
        item.exercise.pk: (found.course, item) for found in courses for item in found.exercises if not _is_done(item)
    }
    draft = Draft.objects.filter(student=student, exercise__in=unsolved).order_by("-saved_at").first()
    tried = [(item.best.updated_at, course, item) for course, item in unsolved.values() if item.best]
    if draft is not None:
        course, item = unsolved[draft.exercise_id]
        latest = max((at for at, _course, _item in tried), default=draft.saved_at)
        if draft.saved_at >= latest:
            return _exercise(course, item, reason=_("You were writing this"), action=_("Go on"))
    if not tried:
        return None
    _at, course, item = max(tried, key=lambda entry: entry[0])
    return _exercise(course, item, reason=_("Tried, not yet solved"), action=_("Try again"))


def _in_course(progress: CourseProgress) -> NextStep | None:
    for part in progress.lessons:
        left = [item for item in part.exercises if _is_left(progress.course, item)]
        if not left:
            continue
        if len(left) == len(part.exercises):
            return _lesson(progress.course, part)
        return _exercise(progress.course, left[0], reason=_("Next in “%(lesson)s”") % {"lesson": part.lesson.title})
    rest = [item for item in progress.exercises if _is_left(progress.course, item)]
    return _exercise(progress.course, rest[0], reason=_("Next exercise")) if rest else None


def _is_done(item: ExerciseProgress) -> bool:
    return item.is_solved or item.is_given_up


def _is_left(course: Course, item: ExerciseProgress) -> bool:
    """Whether the student still has something to do there: while staff read an explanation there is nothing."""
    return not _is_done(item) and not (item.is_waiting and not course.self_paced)


def _lesson(course: Course, part: LessonProgress) -> NextStep:
    return NextStep(
        reason=_("Next lesson in %(course)s") % {"course": course.title},
        title=part.lesson.title,
        summary=part.lesson.summary,
        url=reverse("learn:lesson", args=(course.slug, part.lesson.slug)),
        action=_("Read it"),
        icon="book",
    )


def _exercise(course: Course, item: ExerciseProgress, *, reason: str, action: str = "") -> NextStep:
    version = item.exercise.published
    assert version is not None
    return NextStep(
        reason=reason,
        title=version.title,
        summary=str(Kind(version.kind).label),
        url=exercise_url(course, item.exercise),
        action=action or _("Start"),
        icon="pencil",
    )
