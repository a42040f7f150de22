"""The HTTP API: a request in, a service or a query, an answer out."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import HttpRequest
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.decorators import api_view, authentication_classes, permission_classes
from rest_framework.exceptions import NotFound, PermissionDenied, Throttled, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from exercises.api import answers, bodies, serializers
from exercises.choices import RunKind
from exercises.models import Lesson, User
from exercises.queries import (
    course_progress,
    exercise_for,
    exercise_met_by,
    lesson_for,
    progress,
    run_for,
    submission_for,
    visible_courses,
)
from exercises.services import make_token, start_run, submit
from exercises.sign_in.second_factor import makes_tokens_by_password

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, description="The same key within 24 hours hands in once."
)
LOCKED_SECONDS = 60


@extend_schema(request=bodies.TokenBody, responses=serializers.TokenAnswer, auth=[])
@never_cache
@api_view(["POST"])
@authentication_classes([])
@permission_classes([AllowAny])
def token(request: Request) -> Response:
    """Make a token, to be sent as `Authorization: Token …`. It expires; only its hash is stored."""
    sent = bodies.fields_of(request, bodies.TokenBody)
    username, password = bodies.text_of(sent, "username"), bodies.text_of(sent, "password")
    user = _authenticated(request._request, username, password)
    if user is None or not user.is_active:
        raise ValidationError({"password": ["User name and password do not match."]})
    if not makes_tokens_by_password(user):
        raise PermissionDenied("Sign in with your second factor, and make a token on your account page.")
    instance, word = make_token(user)
    return Response({"token": word, "expires_at": instance.expiry})


@extend_schema(request=None, responses={204: None})
@never_cache
@api_view(["DELETE"])
def own_token(request: Request) -> Response:
    """Revoke the token that this request was sent with."""
    if request.auth is None:
        raise NotFound
    request.auth.delete()
    return Response(status=status.HTTP_204_NO_CONTENT)


@extend_schema(responses=serializers.CourseLine(many=True))
@never_cache
@api_view(["GET"])
def courses(request: Request) -> Response:
    """The caller's courses."""
    found = [answers.course_line(course) for course in visible_courses(_caller(request))]
    return Response(serializers.CourseLine(found, many=True).data)


@extend_schema(responses=serializers.CourseAnswer)
@never_cache
@api_view(["GET"])
def course(request: Request, slug: str) -> Response:
    """A course of the caller, with its lessons and exercises."""
    user = _caller(request)
    found = course_progress(user, visible_courses(user).get(slug=slug))
    return Response(serializers.CourseAnswer(answers.course_answer(found, user)).data)


@extend_schema(responses=serializers.ExerciseAnswer)
@never_cache
@api_view(["GET"])
def exercise(request: Request, course: str, slug: str) -> Response:
    """An exercise: prompt, starter, form of the response, visible cases, attempts left, own best score."""
    user = _caller(request)
    found = exercise_for(user, course, slug)
    return Response(serializers.ExerciseAnswer(answers.exercise_answer(found, user)).data)


@extend_schema(
    request=bodies.SubmissionBody,
    parameters=[IDEMPOTENCY_KEY],
    responses={201: serializers.SubmissionAnswer, 202: serializers.SubmissionAnswer},
)
@never_cache
@api_view(["POST"])
def submissions(request: Request, course: str, slug: str) -> Response:
    """Hand in: 201 when it is graded already, 202 when a worker or a person grades it."""
    user = _caller(request)
    found = exercise_met_by(user, course, slug)
    sent = bodies.fields_of(request, bodies.SubmissionBody)
    handed_in = submit(
        user,
        found,
        source=sent.get("source"),
        response=sent.get("response"),
        version=sent.get("version"),
        assignment=sent.get("assignment"),
        idempotency_key=request.headers.get("Idempotency-Key"),
    )
    answer = answers.submission_answer(submission_for(user, handed_in.pk), user)
    is_graded = answer["graded_at"] is not None
    return Response(
        serializers.SubmissionAnswer(answer).data,
        status=status.HTTP_201_CREATED if is_graded else status.HTTP_202_ACCEPTED,
    )


@extend_schema(responses=serializers.SubmissionAnswer)
@never_cache
@api_view(["GET"])
def submission(request: Request, pk: int) -> Response:
    """A submission of the caller, or one in a course where they are staff."""
    user = _caller(request)
    answer = answers.submission_answer(submission_for(user, pk), user)
    return Response(serializers.SubmissionAnswer(answer).data)


@extend_schema(request=bodies.CasesRunBody, responses={202: serializers.RunAnswer})
@never_cache
@api_view(["POST"])
def cases_runs(request: Request, course: str, slug: str) -> Response:
    """Run source on the visible cases of an exercise, ungraded."""
    user = _caller(request)
    found = exercise_met_by(user, course, slug)
    sent = bodies.fields_of(request, bodies.CasesRunBody)
    return _started(user, RunKind.CASES, source=sent.get("source"), exercise=found)


@extend_schema(request=bodies.RunBody, responses={202: serializers.RunAnswer})
@never_cache
@api_view(["POST"])
def runs(request: Request) -> Response:
    """Run source by itself or, with `lesson` and `snippet`, after the snippets before it in a lesson."""
    user = _caller(request)
    sent = bodies.fields_of(request, bodies.RunBody)
    if "lesson" in sent:
        lesson = _lesson(user, sent)
        return _started(user, RunKind.SNIPPET, source=sent.get("source"), lesson=lesson, snippet=sent.get("snippet"))
    for name in ("snippet", "course"):
        if name in sent:
            raise ValidationError({name: ["This belongs to a `lesson`, which is missing."]})
    return _started(user, RunKind.FREE, source=sent.get("source"))


@extend_schema(responses=serializers.RunAnswer)
@never_cache
@api_view(["GET"])
def run(request: Request, pk: int) -> Response:
    """A run of the caller's own."""
    return Response(serializers.RunAnswer(answers.run_answer(run_for(_caller(request), pk))).data)


@extend_schema(operation_id="progress_list", responses=serializers.ProgressAnswer(many=True))
@never_cache
@api_view(["GET"])
def own_progress(request: Request) -> Response:
    """How far the caller is in each of their courses."""
    found = [answers.progress_answer(item) for item in progress(_caller(request))]
    return Response(serializers.ProgressAnswer(found, many=True).data)


@extend_schema(exclude=True)
@api_view(["GET", "POST", "PUT", "PATCH", "DELETE"])
@authentication_classes([])
@permission_classes([AllowAny])
def not_found(request: Request, path: str) -> Response:
    """404 as JSON for any other address."""
    raise NotFound


def _caller(request: Request) -> User:
    return cast(User, request.user)


def _authenticated(request: HttpRequest, username: str, password: str) -> User | None:
    """Whose password it is. Raises: Throttled after too many failures, which the sign-in page counts as well."""
    try:
        return cast("User | None", get_adapter().authenticate(request, username=username, password=password))
    except DjangoValidationError as error:
        raise Throttled(LOCKED_SECONDS, " ".join(error.messages)) from None


def _started(user: User, kind: RunKind, **fields: Any) -> Response:
    started = start_run(user, kind, **fields)
    answer = serializers.RunAnswer(answers.run_answer(started)).data
    return Response(answer, status=status.HTTP_202_ACCEPTED)


def _lesson(user: User, sent: dict[str, Any]) -> Lesson:
    slug = bodies.text_of(sent, "lesson")
    if "course" in sent:
        return lesson_for(user, bodies.text_of(sent, "course"), slug)
    lessons = Lesson.objects.filter(is_retired=False, course__in=visible_courses(user), slug=slug)
    if lessons.count() > 1:
        raise ValidationError({"course": ["Several of your courses have such a lesson: name the course."]})
    return lessons.get()
