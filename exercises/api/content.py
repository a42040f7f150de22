"""A course's files over the API: from a repository into the site, and out again."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import api_view, parser_classes, renderer_classes
from rest_framework.exceptions import NotFound
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.api import serializers
from exercises.api.errors import answer_in_json
from exercises.api.parsers import ZipParser
from exercises.content import ContentError, Problem
from exercises.content.zips import read_zip, write_zip
from exercises.models import Course, User
from exercises.queries import course_files, is_staff_of
from exercises.services import CourseChanges, push_course, require_right_to_push

NOTHING_SENT = Problem(file="the zip file", message="expected a zip file as the body, found nothing")


class ZipRenderer(BaseRenderer):
    """Lets clients say that they take a zip; what they get is made by the view."""

    media_type = "application/zip"
    format = "zip"


@extend_schema(
    methods=["GET"],
    operation_id="courses_content_retrieve",
    responses={(200, "application/zip"): OpenApiTypes.BINARY},
)
@extend_schema(
    methods=["PUT"],
    operation_id="courses_content_update",
    request={"application/zip": OpenApiTypes.BINARY},
    responses={
        200: serializers.PushAnswer,
        201: serializers.PushAnswer,
        400: serializers.ProblemsAnswer,
    },
)
@never_cache
@api_view(["GET", "PUT"])
@parser_classes([ZipParser])
@renderer_classes([JSONRenderer, ZipRenderer])
def content(request: Request, slug: str) -> Response | HttpResponse:
    """The course folder as a zip: GET for its staff, PUT for its instructors, who so also make a course.

    All of what is sent is taken, or nothing. Exercises with a certificate are published; others are saved only.
    """
    user = cast(User, request.user)
    return _pushed(request, slug, user) if request.method == "PUT" else _sent(slug, user)


def _sent(slug: str, user: User) -> HttpResponse:
    course = Course.objects.filter(slug=slug).first()
    if course is None or not is_staff_of(user, course):
        raise NotFound
    headers = {"Content-Disposition": f'attachment; filename="{slug}.zip"'}
    return HttpResponse(write_zip(course_files(course), folder=slug), content_type="application/zip", headers=headers)


def _pushed(request: Request, slug: str, user: User) -> Response:
    answer_in_json(request)
    # Before the body is looked at.
    require_right_to_push(slug, pusher=user)
    try:
        if not request.data:
            raise ContentError([NOTHING_SENT])
        with request.data as file:
            files = read_zip(file)
        changes, is_new = push_course(slug, files=files, pusher=user)
    except ContentError as error:
        refused = serializers.ProblemsAnswer({"problems": error.problems})
        return Response(refused.data, status=status.HTTP_400_BAD_REQUEST)
    answer = serializers.PushAnswer(_answer(changes)).data
    return Response(answer, status=status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


def _answer(changes: CourseChanges) -> dict[str, Any]:
    return {
        "course": changes.course.slug,
        "lessons": [{"slug": slug, "change": change} for slug, change in changes.lessons.items()],
        "exercises": [
            {"slug": slug, "change": change, "message": changes.unproven.get(slug, "")}
            for slug, change in changes.exercises.items()
        ],
    }
