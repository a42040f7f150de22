"""What no cache may keep: every answer that says nothing about caches itself."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import add_never_cache_headers

GetResponse = Callable[[HttpRequest], HttpResponse]


class PrivateAnswers:
    """Middleware: pages of others than ours, such as those of accounts, name the person who is signed in as well."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if not response.has_header("Cache-Control"):
            add_never_cache_headers(response)
        return response
