"""Pages of a class for its staff: the overview, the matrix with its attempts, the analysis of exercises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from exercises.choices import Role
from exercises.exports.tables import BYTE_ORDER_MARK, csv_lines
from exercises.learn.access import for_members, is_fragment
from exercises.learn.forms import read_number
from exercises.models import Course
from exercises.queries.analysis import item_lines
from exercises.queries.classes import (
    Picked,
    all_rows,
    class_exercises,
    class_members,
    matrix_rows,
    sections_of,
)
from exercises.queries.submissions import submission_lines_of
from exercises.teach.authoring.access import course_of_staff, exercise_of
from exercises.teach.classes import definitions
from exercises.teach.classes.analysis import analysis_of, lines_of
from exercises.teach.classes.attempts import attempt_lines
from exercises.teach.classes.matrix import SIGNS, columns_of, query_of, rows_of, sign_of, table_rows
from exercises.teach.classes.overview import overview_of
from exercises.teach.join_links import new_join_link

STUDENTS_A_PAGE = 40
ATTEMPTS_A_PAGE = 50
SORTED_BY = ("name", "section", "points", "solved")


@for_members
@require_GET
def class_overview(request: HttpRequest, course: str) -> HttpResponse:
    return _class_page(request, course_of_staff(request, course))


@for_members
@require_GET
def class_panel(request: HttpRequest, course: str) -> HttpResponse:
    """The live part of the overview alone."""
    found = course_of_staff(request, course)
    return render(request, "exercises/_class_panel.html", {"course": found, "overview": overview_of(found)})


@for_members
@require_POST
def make_join_link(request: HttpRequest, course: str) -> HttpResponse:
    """Shows a new join link, once: only a hash of it is kept."""
    found = course_of_staff(request, course)
    made = new_join_link(request, found, Role.STUDENT)
    return (
        render(request, "exercises/_join_link.html", made)
        if is_fragment(request)
        else _class_page(request, found, made)
    )


@for_members
@require_GET
def matrix(request: HttpRequest, course: str) -> HttpResponse:
    found = course_of_staff(request, course)
    exercises = class_exercises(found)
    picked = _picked(request, [exercise.slug for exercise in exercises])
    page = Paginator(class_members(found, picked, exercises), STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    leading, columns = columns_of(exercises, picked)
    context = {
        "course": found,
        "picked": picked,
        "sections": sections_of(found),
        "leading": leading,
        "columns": columns,
        "rows": rows_of(found, exercises, matrix_rows(list(page), exercises)),
        "page": page,
        "query": query_of(picked),
        "signs": SIGNS,
    }
    return render(request, "exercises/matrix.html", context)


@for_members
@require_GET
def matrix_csv(request: HttpRequest, course: str) -> StreamingHttpResponse:
    """All rows that are picked, as CSV, written while they are read."""
    found = course_of_staff(request, course)
    exercises = class_exercises(found)
    picked = _picked(request, [exercise.slug for exercise in exercises])
    lines = csv_lines(table_rows(exercises, all_rows(found, picked, exercises)))
    response = StreamingHttpResponse(_marked(lines), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.slug}-matrix.csv"'
    return response


@for_members
@require_GET
def attempts(request: HttpRequest, course: str, student_id: int, exercise: str) -> HttpResponse:
    """What a student handed in to one exercise: where a cell of the matrix leads to."""
    found = course_of_staff(request, course)
    student = found.members.get(pk=student_id)
    subject = exercise_of(found, exercise)
    best = student.best_scores.filter(exercise=subject).first()
    handed_in = Paginator(submission_lines_of(student, subject), ATTEMPTS_A_PAGE)
    page = handed_in.get_page(request.GET.get("page"))
    context = {
        "course": found,
        "student": student,
        "exercise": subject,
        "title": subject.published.title if subject.published else subject.slug,
        "sign": sign_of(best),
        "best": best,
        "attempts": attempt_lines(subject, page, newest=handed_in.count - page.start_index() + 1),
        "page": page,
    }
    return render(request, "exercises/attempts.html", context)


@for_members
@require_GET
def course_analysis(request: HttpRequest, course: str) -> HttpResponse:
    found = course_of_staff(request, course)
    context = {
        "course": found,
        "lines": lines_of(found, item_lines(found)),
        "definitions": (definitions.FACILITY, definitions.DISCRIMINATION, definitions.HAND_INS),
    }
    return render(request, "exercises/course_analysis.html", context)


@for_members
@require_GET
def exercise_analysis(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    found = course_of_staff(request, course)
    subject = exercise_of(found, exercise)
    number = read_number(request.GET.get("version"))
    if isinstance(number, str):
        raise BadRequest("A version is a whole number.")
    context = {
        "course": found,
        "exercise": subject,
        "analysis": analysis_of(found, subject, number=number),
        "definitions": definitions.OF_EXERCISES,
    }
    return render(request, "exercises/exercise_analysis.html", context)


def _class_page(request: HttpRequest, course: Course, join_link: Mapping[str, Any] | None = None) -> HttpResponse:
    context = {
        "course": course,
        "overview": overview_of(course),
        "definitions": (*definitions.AT_RISK, definitions.HARDEST),
        **(join_link or {}),
    }
    return render(request, "exercises/class.html", context)


def _picked(request: HttpRequest, slugs: list[str]) -> Picked:
    """What the address asks for; an order that there is not is that by name."""
    sort = request.GET.get("sort", "name")
    section = request.GET.get("section") or None
    is_known = sort.removeprefix("-") in (*SORTED_BY, *slugs)
    return Picked(
        sort=sort if is_known else "name",
        section=section.replace("\0", "") if section else None,
        is_stuck=request.GET.get("stuck") == "1",
    )


def _marked(lines: Iterator[str]) -> Iterator[str]:
    """Behind the mark by which spreadsheet programs know UTF-8."""
    yield BYTE_ORDER_MARK
    yield from lines
