"""The gradebook, for the staff of a course: as a page, as files, and how much what counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from exercises.errors import ExerciseError
from exercises.exports.gradebook import gradebook_table
from exercises.exports.tables import Cell
from exercises.learn.access import for_members, member
from exercises.learn.grades import column_shown, row_shown
from exercises.models import Course
from exercises.queries.gradebook import GradeColumn, GradeRow, grade_rows, gradebook_columns, students_of
from exercises.queries.memberships import sections_of
from exercises.services.grade_rules import LARGEST_WEIGHT, MOST_DROPPED, set_grade_rules
from exercises.teach.administration.downloads import csv_answer, xlsx_answer
from exercises.teach.authoring.access import course_of_staff, course_to_change, may_change
from exercises.teach.authoring.answers import form_refused

STUDENTS_A_PAGE = 25
BAD_REQUEST = 400


class GradeRulesForm(forms.Form):
    """How many of the worst are dropped, and a weight for each assignment, by its id."""

    dropped_lowest = forms.IntegerField(
        label=gettext_lazy("How many of a student's worst assignments are dropped"),
        min_value=0,
        max_value=MOST_DROPPED,
        widget=forms.NumberInput(attrs={"class": "input short"}),
    )

    def __init__(self, course: Course, columns: Sequence[GradeColumn], data: Any = None) -> None:
        super().__init__(data, initial={"dropped_lowest": course.dropped_lowest}, prefix="rules")
        for column in columns:
            if column.assignment is not None:
                self.fields[str(column.assignment.pk)] = forms.DecimalField(
                    label=_("Weight of “%(title)s”") % {"title": column.title},
                    min_value=0,
                    max_value=LARGEST_WEIGHT,
                    decimal_places=2,
                    initial=f"{column.weight.normalize():f}",
                    widget=forms.NumberInput(attrs={"class": "input short", "step": "any"}),
                )

    @property
    def weights(self) -> dict[int, Decimal]:
        """What was given, by the assignment's id."""
        return {int(name): value for name, value in self.cleaned_data.items() if name.isdecimal()}


@for_members
@require_GET
def gradebook(request: HttpRequest, course: str) -> HttpResponse:
    return _page(request, course_of_staff(request, course))


@for_members
@require_POST
def set_rules(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    form = GradeRulesForm(found, gradebook_columns(found), request.POST)
    if form.is_valid():
        try:
            set_grade_rules(
                found,
                author=member(request),
                weights=form.weights,
                dropped_lowest=form.cleaned_data["dropped_lowest"],
            )
        except ExerciseError as error:
            form_refused(form, error)
        else:
            messages.success(request, _("Saved. All grades follow the new weights."))
            return redirect("teach:gradebook", found.slug)
    return _page(request, found, form=form, status=BAD_REQUEST)


@for_members
@require_GET
def as_csv(request: HttpRequest, course: str) -> HttpResponseBase:
    found = course_of_staff(request, course)
    return csv_answer(f"gradebook-{found.slug}", _table(request, found))


@for_members
@require_GET
def as_xlsx(request: HttpRequest, course: str) -> HttpResponseBase:
    found = course_of_staff(request, course)
    return xlsx_answer(f"gradebook-{found.slug}", _table(request, found))


def _table(request: HttpRequest, course: Course) -> Iterator[list[Cell]]:
    columns = gradebook_columns(course)
    students = students_of(course, section=_section(request))
    return gradebook_table(columns, grade_rows(course, columns, students.iterator()))


def _page(
    request: HttpRequest, course: Course, *, form: GradeRulesForm | None = None, status: int = 200
) -> HttpResponse:
    columns, section = gradebook_columns(course), _section(request)
    page = Paginator(students_of(course, section=section), STUDENTS_A_PAGE).get_page(request.GET.get("page"))
    rows: list[GradeRow] = list(grade_rows(course, columns, page.object_list))
    is_instructor = may_change(request, course)
    context = {
        "course": course,
        "columns": [column_shown(column) for column in columns],
        "has_assignments": any(column.assignment for column in columns),
        "rows": [row_shown(course, columns, row) for row in rows],
        "page": page,
        "section": section,
        "sections": sections_of(course),
        "form": form or (GradeRulesForm(course, columns) if is_instructor else None),
    }
    return render(request, "exercises/gradebook.html", context, status=status)


def _section(request: HttpRequest) -> str | None:
    """The section that is asked for; None for all."""
    return request.GET.get("section") or None
