from __future__ import annotations

import hashlib
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.choices import RunKind
from exercises.errors import ExerciseError, LinkError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.forms import sent_source
from exercises.learn.refusals import refusal
from exercises.learn.run_panels import run_panel as panel_of
from exercises.learn.shared import shareable_url, shared_source
from exercises.models import Run
from exercises.queries import run_for

STARTER = """import torch

x = torch.arange(12.0).reshape(3, 4)
weights = torch.softmax(x, dim=-1)
print(weights.sum(dim=-1))
weights
"""


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def playground(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "exercises/playground.html", _playground(STARTER))
    try:
        run = services.start_run(member(request), RunKind.FREE, source=sent_source(request))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:playground"))
    if not is_fragment(request):
        return redirect("learn:run", run.pk)
    return render(request, "exercises/_run_panel.html", {"panel": panel_of(run)})


@for_members
@require_GET
def run(request: HttpRequest, run_id: int) -> HttpResponse:
    found = run_for(member(request), run_id)
    context = {"panel": panel_of(found), "lines": found.source.split("\n"), "back_url": _origin(found)}
    return render(request, "exercises/run.html", context)


@for_members
@require_GET
def run_panel(request: HttpRequest, run_id: int) -> HttpResponse:
    return render(request, "exercises/_run_panel.html", {"panel": panel_of(run_for(member(request), run_id))})


@for_members
@require_POST
def cancel_run(request: HttpRequest, run_id: int) -> HttpResponse:
    student = member(request)
    services.cancel_run(run_for(student, run_id), student=student)
    if not is_fragment(request):
        return redirect("learn:run", run_id)
    context = {"panel": panel_of(run_for(student, run_id)), "takes_focus": True}
    return render(request, "exercises/_run_panel.html", context)


@for_members
@require_POST
def share(request: HttpRequest) -> HttpResponse:
    """A link to the code in the playground; without the script, on the playground with that code."""
    source = sent_source(request) or ""
    try:
        url = request.build_absolute_uri(shareable_url(source))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:playground"))
    if is_fragment(request):
        return render(request, "exercises/_shared_link.html", {"url": url})
    return render(request, "exercises/playground.html", {**_playground(source), "url": url})


@for_members
@require_GET
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The playground with the code of a link: as text, which only its reader can run."""
    try:
        source = shared_source(token)
    except LinkError as error:
        return refusal(request, error, back_url=reverse("learn:playground"))
    draft = f"shared-{hashlib.sha256(token.encode()).hexdigest()[:16]}"
    return render(request, "exercises/playground.html", {**_playground(source), "is_shared": True, "draft": draft})


def _playground(source: str) -> dict[str, Any]:
    return {"section": "playground", "source": source, "starter": source, "draft": "playground"}


def _origin(run: Run) -> str:
    """The page that the run was started from."""
    if run.lesson is not None:
        return reverse("learn:lesson", args=(run.lesson.course.slug, run.lesson.slug))
    if run.version is not None:
        exercise = run.version.exercise
        return reverse("learn:exercise", args=(exercise.course.slug, exercise.slug))
    return reverse("learn:playground")
