"""A student's own grade in a course: the row of the gradebook that is theirs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET

from exercises.choices import LEARNER_ROLES
from exercises.learn.access import for_members, member
from exercises.learn.grades import cell_shown, column_shown, percent_text
from exercises.models import Course
from exercises.queries import role_in, visible_courses
from exercises.queries.gradebook import GradeColumn, own_grade


@for_members
@require_GET
def grade(request: HttpRequest, course: str) -> HttpResponse:
    student = member(request)
    found = visible_courses(student).get(slug=course)
    if role_in(student, found) not in LEARNER_ROLES:
        raise Course.DoesNotExist(f"no course {course} in which this person has a grade")
    columns, row = own_grade(student, found)
    lines = [
        {"column": column_shown(column), "cell": cell_shown(cell), "url": _address(found, column)}
        for column, cell in zip(columns, row.cells, strict=True)
    ]
    context = {
        "course": found,
        "lines": lines,
        "percent": percent_text(row.percent),
        "has_assignments": any(column.assignment for column in columns),
    }
    return render(request, "exercises/grade.html", context)


def _address(course: Course, column: GradeColumn) -> str:
    name = "learn:exercise" if column.assignment is None else "learn:assignment"
    return reverse(name, args=(course.slug, column.slug))
