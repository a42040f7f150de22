"""The gradebook of a course over the API, for its staff: as JSON and as CSV, written while it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, cast

from django.http import StreamingHttpResponse
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, renderer_classes
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from exercises.exports.gradebook import gradebook_head, gradebook_line, gradebook_table
from exercises.exports.tables import csv_lines
from exercises.models import Course, User
from exercises.queries import taught_courses
from exercises.queries.gradebook import grade_rows, gradebook_columns, students_of


class GradebookColumnAnswer(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    is_assignment = serializers.BooleanField(help_text="false: an exercise, in a course without assignments")
    points = serializers.FloatField()
    weight = serializers.FloatField()
    held_back = serializers.BooleanField(help_text="Whether students do not see yet what was judged")


class GradebookCellAnswer(serializers.Serializer):
    slug = serializers.CharField(help_text="Of the column")
    points = serializers.FloatField(allow_null=True)
    standing = serializers.CharField(help_text="counted, dropped, open (not due yet) or waiting (to be judged)")
    by_hand = serializers.BooleanField(help_text="Whether staff set something of it")
    late = serializers.BooleanField()


class GradebookLineAnswer(serializers.Serializer):
    external_id = serializers.CharField(allow_blank=True)
    username = serializers.CharField()
    last_name = serializers.CharField(allow_blank=True)
    first_name = serializers.CharField(allow_blank=True)
    section = serializers.CharField(allow_blank=True)
    percent = serializers.FloatField(allow_null=True, help_text="The grade; null before anything counts")
    cells = GradebookCellAnswer(many=True)


class GradebookAnswer(serializers.Serializer):
    course = serializers.CharField()
    dropped_lowest = serializers.IntegerField()
    columns = GradebookColumnAnswer(many=True)
    students = GradebookLineAnswer(many=True)


class CSVRenderer(BaseRenderer):
    """Lets clients say that they take CSV; what they get is made by the view."""

    media_type = "text/csv"
    format = "csv"


@extend_schema(operation_id="courses_gradebook_retrieve", responses=GradebookAnswer)
@never_cache
@api_view(["GET"])
def gradebook(request: Request, slug: str) -> StreamingHttpResponse:
    """What counts for each student of a course, and the grade that follows, for its staff."""
    return StreamingHttpResponse(_json(_taught(request, slug)), content_type="application/json")


@extend_schema(operation_id="courses_gradebook_csv_retrieve", responses={(200, "text/csv"): OpenApiTypes.STR})
@never_cache
@api_view(["GET"])
@renderer_classes([JSONRenderer, CSVRenderer])
def gradebook_csv(request: Request, slug: str) -> StreamingHttpResponse:
    """The same as CSV. A text that a spreadsheet would take for a formula has an apostrophe before it."""
    course = _taught(request, slug)
    columns = gradebook_columns(course)
    rows = grade_rows(course, columns, students_of(course).iterator())
    response = StreamingHttpResponse(csv_lines(gradebook_table(columns, rows)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="gradebook-{course.slug}.csv"'
    return response


def _taught(request: Request, slug: str) -> Course:
    return taught_courses(cast(User, request.user)).get(slug=slug)


def _json(course: Course) -> Iterator[str]:
    columns = gradebook_columns(course)
    head: dict[str, Any] = gradebook_head(course, columns)
    yield json.dumps(head)[:-1] + ', "students": ['
    between = "\n"
    for row in grade_rows(course, columns, students_of(course).iterator()):
        yield between + json.dumps(gradebook_line(columns, row))
        between = ",\n"
    yield "]}\n"
