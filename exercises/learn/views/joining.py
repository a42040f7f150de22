from __future__ import annotations

from allauth.account.internal.flows.login import record_authentication
from allauth.account.utils import perform_login
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from exercises import services
from exercises.errors import CourseNotOpenError, LinkError
from exercises.learn.access import for_members, member
from exercises.models import Course, User


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Says first which course it is, and what one will be there."""
    try:
        if request.method != "POST":
            return render(request, "exercises/join.html", {"link": services.open_join_link(token)})
        membership = services.join_course(member(request), token)
    except LinkError:
        return render(request, "exercises/join.html", status=404)
    messages.success(request, _("You are in."))
    return redirect("learn:course", membership.course.slug)


@for_members
@require_POST
def enrol(request: HttpRequest, course: str) -> HttpResponse:
    found = Course.objects.get(slug=course)
    try:
        services.join_open_course(member(request), found)
    except CourseNotOpenError as error:
        raise Course.DoesNotExist from error
    return redirect("learn:course", found.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Asks before it redeems: programs that only look at a link, and other sites, must not use it up or sign one in."""
    if request.method != "POST":
        return render(request, "exercises/sign_in_link.html", {"is_spent": False})
    try:
        user = services.redeem_sign_in_link(token)
    except LinkError:
        return render(request, "exercises/sign_in_link.html", {"is_spent": True}, status=404)
    record_authentication(request, user, method="link")
    # Through the stages of signing in: a second factor is asked for behind a link as well.
    answer: HttpResponse = perform_login(request, user, redirect_url=_first_page(user))
    return answer


def _first_page(user: User) -> str | None:
    """Who has no password yet sets one first, since the link is spent; a preview of a course has none at all."""
    needs_password = not user.has_usable_password() and not settings.PREVIEW
    return reverse("account_set_password") if needs_password else None
