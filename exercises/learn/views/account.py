"""How a person gets in: password, second factor, tokens of the API."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from knox.models import AuthToken

from exercises import services
from exercises.learn.access import for_members, member
from exercises.sign_in.second_factor import has_second_factor, lacks_second_factor

TOKENS_A_PAGE = 50


@for_members
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    return _page(request)


@for_members
@require_POST
def make_token(request: HttpRequest) -> HttpResponse:
    """The page with the new token on it, this once."""
    user = member(request)
    if lacks_second_factor(user):
        messages.warning(request, _("Those who teach here make tokens behind a second factor. Set yours up first."))
        return redirect("mfa_activate_totp")
    _made, word = services.make_token(user)
    return _page(request, new_token=word, status=201)


@for_members
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    services.revoke_token(member(request), request.POST.get("token", ""))
    messages.success(request, _("The token is revoked."))
    return redirect("learn:account")


def _page(request: HttpRequest, *, new_token: str = "", status: int = 200) -> HttpResponse:
    user = member(request)
    tokens = AuthToken.objects.filter(user=user, expiry__gt=timezone.now())
    context = {
        "section": "account",
        "page": Paginator(tokens.order_by("-created"), TOKENS_A_PAGE).get_page(request.GET.get("page")),
        "new_token": new_token,
        "has_password": user.has_usable_password(),
        "has_second_factor": has_second_factor(user),
        "lacks_second_factor": lacks_second_factor(user),
    }
    return render(request, "exercises/account.html", context, status=status)
