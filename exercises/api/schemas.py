"""The JSON Schemas of course folders, for editors: open to all, and the same for everybody."""

from __future__ import annotations

from functools import cache

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from exercises.content.schemas import schema_file


@require_safe
@cache_control(public=True, max_age=3600)
def schema(request: HttpRequest, name: str) -> HttpResponse:
    """The schema of `exercise.yaml` or `course.yaml`."""
    response = HttpResponse(_file(name), content_type="application/schema+json")
    # Editors in the browser read it from elsewhere; it is no secret.
    response["Access-Control-Allow-Origin"] = "*"
    return response


@cache
def _file(name: str) -> bytes:
    return schema_file(name)
