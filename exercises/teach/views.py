from __future__ import annotations

from itertools import groupby
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from exercises.learn.access import for_members, member
from exercises.learn.rows import submission_rows
from exercises.models import Course, Grading, Submission, User
from exercises.queries import class_matrix, course_progress, internal_errors, is_staff_of, visible_courses
from exercises.teach.matrix import cell_of, overview

FAULTS = 20


@for_members
@require_GET
def class_overview(request: HttpRequest, course: str) -> HttpResponse:
    found = _taught(request, course)
    context = {
        "course": found,
        "overview": overview(found, class_matrix(found)),
        "faults": list(internal_errors(found)[:FAULTS]),
    }
    return render(request, "exercises/class.html", context)


@for_members
@require_GET
def student_overview(request: HttpRequest, course: str, student_id: int) -> HttpResponse:
    found = _taught(request, course)
    student = found.members.get(pk=student_id)
    context = {"course": found, "student": student, "exercises": _exercises(found, student)}
    return render(request, "exercises/student.html", context)


def _taught(request: HttpRequest, slug: str) -> Course:
    """The course, for its staff; to others it does not exist.

    Raises:
        Course.DoesNotExist: there is none, or the person is not its staff.
    """
    course = visible_courses(member(request)).get(slug=slug)
    if not is_staff_of(member(request), course):
        raise Course.DoesNotExist(f"no course {slug} taught by this person")
    return course


def _exercises(course: Course, student: User) -> list[dict[str, Any]]:
    """Each exercise with the student's best and all their submissions."""
    by_exercise = groupby(_submissions_in(course, student), key=_exercise_id)
    handed_in = {exercise_id: submission_rows(rows) for exercise_id, rows in by_exercise}
    return [
        {
            "title": item.exercise.published.title if item.exercise.published else item.exercise.slug,
            "slug": item.exercise.slug,
            "best": cell_of(item.best),
            "history": handed_in.get(item.exercise.pk, []),
        }
        for item in course_progress(student, course).exercises
    ]


def _exercise_id(submission: Submission) -> int:
    return submission.exercise_id


def _submissions_in(course: Course, student: User) -> QuerySet[Submission]:
    """All that the student handed in to the course, by exercise, the newest first."""
    in_force = Grading.objects.filter(in_force=True).defer("feedback")
    handed_in = Submission.objects.filter(student=student, exercise__course=course).defer("source")
    return handed_in.prefetch_related(Prefetch("gradings", in_force)).order_by("exercise", "-pk")
