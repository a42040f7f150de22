"""Sign-in by a proxy in front that has authenticated the visitor, and says so in a header."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib.auth import login, logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from exercises.errors import NotAllowedError
from exercises.learn.access import is_fragment
from exercises.models import User
from exercises.services import Identity, person_of
from exercises.sign_in.second_factor import API, has_second_factor

ISSUER = "proxy"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
SECRET_HEADER = "X-Proxy-Secret"  # noqa: S105 - the name of the header, not the secret


class TrustedProxy:
    """Middleware: signs in whom the proxy names, and out whom it no longer names.

    The header counts only beside the secret that the proxy and this site share: whoever reaches the site past the proxy
    can write headers as well. Who has a second factor is asked for it here, too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        named = _named(request)
        signed_in = request.user if isinstance(request.user, User) else None
        if signed_in is not None and signed_in.issuer == ISSUER and signed_in.external_id != named:
            logout(request)
            signed_in = None
        if named and signed_in is None:
            try:
                person = person_of(_identity(request, named))
            except NotAllowedError as error:
                return render(request, "403.html", {"exception": str(error)}, status=403)
            if not has_second_factor(person):
                login(request, person, backend=BACKEND)
            elif not _goes_on_as_nobody(request):
                answer: HttpResponse = perform_login(request, person, redirect_url=request.get_full_path())
                return answer
        return self.get_response(request)


def _goes_on_as_nobody(request: HttpRequest) -> bool:
    """Whether nobody is led to the page that asks for the code: on that page, and where no page is shown."""
    is_page = not request.path_info.startswith(API) and not is_fragment(request)
    return not is_page or request.path_info == reverse("mfa_authenticate")


def _named(request: HttpRequest) -> str:
    """Whom the proxy names; nobody where it does not prove to be the proxy."""
    proof = request.headers.get(SECRET_HEADER, "")
    if not secrets.compare_digest(proof.encode(), settings.PROXY_SECRET.encode()):
        return ""
    return _text(request, settings.PROXY_USER_HEADER)


def _identity(request: HttpRequest, named: str) -> Identity:
    return Identity(
        issuer=ISSUER,
        external_id=named,
        first_name=_text(request, "X-Remote-Given-Name"),
        last_name=_text(request, "X-Remote-Family-Name"),
        email=_text(request, "X-Remote-Email"),
    )


def _text(request: HttpRequest, header: str) -> str:
    """A header's text; proxies write UTF-8 into what WSGI reads as Latin-1."""
    return request.headers.get(header, "").encode("latin-1", "replace").decode(errors="replace").strip()
