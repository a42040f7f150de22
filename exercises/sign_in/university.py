"""Sign-in at a university by OpenID Connect. Its answer names a person; which account is theirs is decided here."""

from __future__ import annotations

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from exercises.errors import NotAllowedError
from exercises.services import Identity, person_of


class UniversityAdapter(DefaultSocialAccountAdapter):
    """Finds or makes the account by issuer and external id; never by an address or a name, which others can have."""

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Tie the identity to its account before anything is signed in.

        Raises:
            ImmediateHttpResponse: back to the sign-in page, with a sentence that says why.
        """
        if sociallogin.state.get("process", "login") != "login":
            raise _refused(request, _("Identities are tied to accounts by signing in with them."))
        try:
            person = person_of(_identity(sociallogin))
        except NotAllowedError as error:
            raise _refused(request, str(error)) from error
        if not sociallogin.is_existing:
            sociallogin.connect(request, person)
        elif sociallogin.user.pk != person.pk:
            raise _refused(request, _("This identity belongs to another account. Ask who runs this site."))

    def on_authentication_error(self, request: HttpRequest, provider: Any, *args: Any, **kwargs: Any) -> None:
        raise _refused(request, _("The university's sign-in did not go through. Try once more."))

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Never by a form: accounts are made before, without one."""
        return False


def _identity(sociallogin: SocialLogin) -> Identity:
    person = sociallogin.user
    return Identity(
        issuer=settings.OIDC_ISSUER,
        external_id=str(sociallogin.account.uid),
        username=person.username,
        first_name=person.first_name,
        last_name=person.last_name,
        email=person.email,
    )


def _refused(request: HttpRequest, words: str) -> ImmediateHttpResponse:
    messages.error(request, words)
    return ImmediateHttpResponse(redirect("account_login"))
