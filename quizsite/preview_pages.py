"""What a preview adds to the pages: the problems of a broken folder, and that they load again after a change."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.html import format_html

from quizsite.previewing import PreviewState, read_state

STATE_PATH = "/preview/state"
END = b"</body>"
# Where there is something else to be done than to look at the course.
_OTHERS = ("/account/", "/api/", "/sign-in/", "/schema/", "/static/", "/healthz", "/readyz", "/servez")

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class PreviewPages:
    """Middleware of a preview, the innermost."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        state = read_state() or PreviewState(number=0)
        if request.path_info == STATE_PATH:
            return JsonResponse({"number": state.number})
        is_broken = bool(state.faults) and _is_page(request)
        response = _problems(request, state) if is_broken else self._get_response(request)
        if isinstance(response, HttpResponse) and response.get("Content-Type", "").startswith("text/html"):
            response.content = _with_script(response.content, state.number)
        return response


def _is_page(request: HttpRequest) -> bool:
    return (
        request.method == "GET"
        and request.headers.get("HX-Request") is None
        and not request.path_info.startswith(_OTHERS)
    )


def _problems(request: HttpRequest, state: PreviewState) -> HttpResponse:
    return render(request, "preview_problems.html", {"faults": state.faults, "folder": settings.PREVIEW})


def _with_script(page: bytes, number: int) -> bytes:
    """The page with a script that loads it again once the folder was read another time; fragments stay as they are."""
    head, end, tail = page.rpartition(END)
    script = format_html(
        '<script src="{}" data-state="{}" data-number="{}" defer></script>',
        static("exercises/preview.js"),
        STATE_PATH,
        number,
    )
    return head + script.encode() + end + tail if end else page
