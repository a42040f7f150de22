"""What is kept about a person, for that person: to have, and to have removed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.errors import ExerciseError, TooOftenError
from exercises.learn.access import for_members, member
from exercises.learn.refusals import refusal
from exercises.models import User
from exercises.queries import own_data as own_data_of
from exercises.queries.research import consents_of
from exercises.services.research import set_research_consent

RETRY_SECONDS = 60


@for_members
@require_GET
def own_data(request: HttpRequest) -> HttpResponse:
    context = {
        "section": "own-data",
        "by_password": services.proves_by_password(member(request)),
        "consents": list(consents_of(member(request))),
    }
    return render(request, "exercises/own_data.html", context)


@for_members
@require_GET
def download(request: HttpRequest) -> StreamingHttpResponse:
    """All of it as JSON, written while it is read."""
    response = StreamingHttpResponse(_written(member(request)), content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="quizsite-own-data.json"'
    return response


@for_members
@require_POST
def research_consent(request: HttpRequest) -> HttpResponse:
    """Whether research may read what the person did in a course."""
    agrees = request.POST.get("agrees") == "yes"
    set_research_consent(member(request), request.POST.get("course", ""), agrees=agrees)
    messages.success(request, _("You agree.") if agrees else _("You do not agree. Later exports are without you."))
    return redirect("learn:own-data")


@for_members
@require_POST
def erase(request: HttpRequest) -> HttpResponse:
    try:
        # As often as a password is asked for elsewhere: else this page were the place to guess it.
        if not ratelimit.consume(request, action="reauthenticate", user=member(request)):
            raise TooOftenError("Too many tries. Wait a minute.", retry_after=RETRY_SECONDS)
        services.erase_account(member(request), proof=request.POST.get("proof"))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:own-data"))
    logout(request)
    messages.success(request, _("Your account is erased."))
    return redirect("account_login")


def _written(user: User) -> Iterator[str]:
    before = "{"
    for name, rows in own_data_of(user):
        yield f"{before}\n{json.dumps(name)}: ["
        between = "\n"
        for row in rows:
            yield f"{between}{_json(row)}"
            between = ",\n"
        yield "]"
        before = ","
    yield "\n}\n"


def _json(row: Mapping[str, object]) -> str:
    return json.dumps(row, cls=DjangoJSONEncoder, ensure_ascii=False)
