"""What a service refuses, as an answer: a notice in its place for htmx, a page else."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from exercises.errors import ExerciseError, InvalidFieldError, TooOftenError, VersionChangedError
from exercises.learn.access import is_fragment

TOO_MANY = 429
CONFLICT = 409
BAD_REQUEST = 400
SENT = ("source", "response", "text")


def refusal(request: HttpRequest, error: ExerciseError, *, back_url: str) -> HttpResponse:
    """The answer to a hand-in or a run that was not taken; what was sent is shown again, so that nothing is lost."""
    context = {"message": str(error), "kept": is_fragment(request), "back_url": back_url}
    context["move_url"] = back_url if isinstance(error, VersionChangedError) else ""
    if is_fragment(request):
        response = render(request, "exercises/_refused.html", context, status=_status(error))
    else:
        context["source"] = next((request.POST[name] for name in SENT if request.POST.get(name)), "")
        response = render(request, "exercises/refused.html", context, status=_status(error))
    if isinstance(error, TooOftenError):
        response["Retry-After"] = str(error.retry_after)
    return response


def _status(error: ExerciseError) -> int:
    if isinstance(error, InvalidFieldError):
        return BAD_REQUEST
    return TOO_MANY if isinstance(error, TooOftenError) else CONFLICT
