"""The second factor: codes of an app, whose keys are stored encrypted. The operator can ask it of all staff."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.utils import is_mfa_enabled
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import ResolverMatch
from django.utils.translation import gettext as _

from exercises.models import User
from exercises.queries import taught_courses, teaches

STAFF_APPS = frozenset({"teach", "authoring"})
API = "/api/"
SHOWING_MORE = frozenset({"learn:search", "learn:download-own-data"})
"""Pages of all courses at once that show more to staff than to students."""
OF_COURSES = {"course": "slug", "submission_id": "exercises__submissions", "question_id": "questions"}
"""By what a page's address names a course, or something in it."""


class SecondFactorAdapter(DefaultMFAAdapter):
    """Keeps the keys of authenticator apps encrypted: whoever reads the database alone cannot make codes."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def get_totp_issuer(self) -> str:
        return "quizsite"


class StaffSecondFactor:
    """Middleware: leads staff without a second factor to the page that sets one up, where the operator asks for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Nothing for those who may go on; else where to go first."""
        user, match = request.user, request.resolver_match
        if not settings.STAFF_SECOND_FACTOR or not isinstance(user, User) or match is None:
            return None
        is_api = request.path_info.startswith(API)
        if not lacks_second_factor(user) or not (is_api or _is_for_staff(user, match)):
            return None
        if is_api:
            return JsonResponse({"detail": what_lacks()}, status=403)
        messages.warning(request, what_lacks())
        return redirect("mfa_activate_totp")


def has_second_factor(user: User) -> bool:
    """Whether signing in asks the user for a code."""
    return bool(is_mfa_enabled(user))


def lacks_second_factor(user: User) -> bool:
    """Whether the user teaches, must have a second factor for that, and has none."""
    return settings.STAFF_SECOND_FACTOR and not has_second_factor(user) and (user.is_staff or teaches(user))


def what_lacks() -> str:
    """What is said to whoever lacks it."""
    return _("Those who teach here sign in with a second factor. Set yours up first.")


def makes_tokens_by_password(user: User) -> bool:
    """Whether a password alone may make a token: never where signing in asks for more."""
    return not has_second_factor(user) and not lacks_second_factor(user)


def _is_for_staff(user: User, match: ResolverMatch) -> bool:
    """Whether the page shows this person more than students: those of staff, and all about the courses they teach."""
    if STAFF_APPS.intersection(match.app_names) or match.view_name in SHOWING_MORE:
        return True
    named = [{field: match.kwargs[name]} for name, field in OF_COURSES.items() if name in match.kwargs]
    return any(taught_courses(user).filter(**about).exists() for about in named)


def _cipher() -> MultiFernet:
    """Of the installation's secret; those it had before can still be read with."""
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(_key(secret)) for secret in secrets])


def _key(secret: str) -> bytes:
    return base64.urlsafe_b64encode(hashlib.sha256(b"second factor\0" + secret.encode()).digest())
