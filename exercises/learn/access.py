"""Who may see the pages of students: members who are signed in. Others learn nothing, not even that a page exists."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers

from exercises.models import User

View = Callable[..., HttpResponseBase]


def for_members(view: View) -> View:
    """A view for people who are signed in; a row that it does not find among theirs is a 404.

    A fragment of a page is answered with 401 and a link, since following a redirect would put the sign-in page into it.
    Nothing is kept by browsers but what the view itself says how long it may be.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = view(request, *args, **kwargs) if request.user.is_authenticated else _signed_out(request)
        except ObjectDoesNotExist as error:
            raise Http404 from error
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response

    return guarded


def _signed_out(request: HttpRequest) -> HttpResponse:
    if is_fragment(request):
        return render(request, "exercises/_signed_out.html", status=401)
    return redirect_to_login(request.get_full_path())


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks, for a part of a page."""
    return request.headers.get("HX-Request") == "true"


def member(request: HttpRequest) -> User:
    """The person who asks, behind `for_members`."""
    return cast(User, request.user)
