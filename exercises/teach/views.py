from __future__ import annotations

from itertools import groupby
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.choices import Role
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.assessments import sent_points
from exercises.learn.refusals import refusal
from exercises.learn.rows import submission_rows
from exercises.learn.views.submissions import judged
from exercises.models import Course, Grading, Submission, User
from exercises.queries import (
    course_progress,
    is_staff_of,
    submission_for,
    visible_courses,
)
from exercises.teach.assignment_forms import ExtraTimeForm
from exercises.teach.authoring.access import may_change
from exercises.teach.matrix import cell_of


@for_members
@require_GET
def student_overview(request: HttpRequest, course: str, student_id: int) -> HttpResponse:
    found = _taught(request, course)
    student = found.members.get(pk=student_id)
    membership = student.memberships.get(course=found)
    may_set = membership.role == Role.STUDENT and may_change(request, found)
    context = {
        "course": found,
        "student": student,
        "exercises": _exercises(found, student),
        "extra_time": ExtraTimeForm(initial={"factor": membership.extra_time_factor}) if may_set else None,
    }
    return render(request, "exercises/student.html", context)


@for_members
@require_POST
def review(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Points for an explanation, by staff."""
    found = submission_for(member(request), submission_id)
    if found.exercise.course != _taught(request, course):
        raise Submission.DoesNotExist(f"no submission {submission_id} in {course}")
    try:
        services.review(
            found,
            reviewer=member(request),
            points=sent_points(request.POST, found),
            comment=request.POST.get("comment", "").replace("\r\n", "\n"),
        )
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:submission", args=(found.pk,)))
    return judged(request, found.pk)


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
        for item in course_progress(student, course, for_staff=True).exercises
    ]


def _exercise_id(submission: Submission) -> int:
    return submission.exercise_id


def _submissions_in(course: Course, student: User) -> QuerySet[Submission]:
    """All that the student handed in to the course, by exercise, the newest first."""
    in_force = Grading.objects.filter(in_force=True).defer("feedback")
    handed_in = Submission.objects.filter(student=student, exercise__course=course).defer("source")
    return handed_in.prefetch_related(Prefetch("gradings", in_force)).order_by("exercise", "-pk")
