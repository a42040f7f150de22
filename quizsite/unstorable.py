"""NUL, the one character that PostgreSQL stores in no text and looks for in none: refused before a view meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from exercises.errors import InvalidFieldError
from exercises.learn.refusals import refusal
from quizsite.failures import API

NUL: Final = "\0"
BAD_REQUEST = 400

GetResponse = Callable[[HttpRequest], HttpResponse]


class StorableCookies:
    """Middleware, before the sessions: a cookie with NUL, which only a made-up one has, counts as not sent."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.COOKIES = {name: value for name, value in request.COOKIES.items() if NUL not in name + value}
        return self._get_response(request)


class StorableText:
    """Middleware, after all that looks into forms: an address, a query or a form with NUL is answered with 400.

    Of bodies that are no forms the API's parser says the same; queries it reads none.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], _args: Iterable[Any], named: Mapping[str, Any]
    ) -> HttpResponse | None:
        """The refusal, or nothing."""
        if any(NUL in value for value in named.values() if isinstance(value, str)):
            return _refused(request, _("The address"))
        if not request.path_info.startswith(API) and (name := _unstorable(request.GET)) is not None:
            return _refused(request, f"“{name}”")
        # What needs no token of a form is none, and reads its body by itself.
        if request.method == "POST" and not getattr(view, "csrf_exempt", False):
            name = _unstorable(request.POST)
            return None if name is None else _refused(request, f"“{name}”")
        return None


def _unstorable(sent: QueryDict) -> str | None:
    """The first name with NUL in it or in a value of it, without the NUL."""
    return next((name.replace(NUL, "") for name, text in _pairs(sent) if NUL in name + text), None)


def _pairs(sent: QueryDict) -> Iterator[tuple[str, str]]:
    for name, values in sent.lists():
        for value in values:
            yield name, str(value)


def _refused(request: HttpRequest, where: str) -> HttpResponse:
    sentence = _("%(where)s holds the character NUL, which is in no text. Take it out and try again.") % {
        "where": where
    }
    if request.path_info.startswith(API):
        return JsonResponse({"detail": sentence}, status=BAD_REQUEST)
    return refusal(request, InvalidFieldError("", sentence), back_url=reverse("learn:home"))
