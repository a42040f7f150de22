"""How guessing of passwords is slowed down, alike for the sign-in page and for the API; who confirms by one."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.core import context
from allauth.core.internal import ratelimit
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.cache import cache
from django.http import HttpRequest

APP = "allauth.account"
ACTION = "login_failed"


class AccountAdapter(DefaultAccountAdapter):
    """Counts failures per address, and per account from an address; a success sets the latter's counter to zero.

    The address's counter is left alone: else somebody who guesses could sign in as themselves between two guesses. An
    account's failures from elsewhere do not count: else anybody could keep its owner out. All IPv6 addresses of one
    network are one address here, since whoever has one of them has all.
    """

    def get_client_ip(self, request: HttpRequest) -> str:
        """The visitor's address. A socket for both kinds writes IPv4 ones as IPv6, where all are of one network."""
        address = ip_address(super().get_client_ip(request))
        return str(getattr(address, "ipv4_mapped", None) or address)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{ratelimit.get_ip(request)}"

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            self._forget_failures(request, **credentials)
        return user

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Whether to confirm who one is before a change: not those who came by a link or a university, with nothing to
        confirm by."""
        asked = super().is_reauthentication_required(app=app)
        return bool(asked and get_reauthentication_flows(context.request.user))

    def _forget_failures(self, request: HttpRequest, **credentials: Any) -> None:
        key = self._get_login_attempts_cache_key(request, **credentials)
        for rate in ratelimit.get_rates(app=APP, action=ACTION):
            if rate.per == "key":
                cache.delete(ratelimit.get_cache_key(request, app=APP, action=ACTION, rate=rate, key=key))
