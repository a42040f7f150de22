from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.learn.access import for_members, member
from exercises.learn.forms import read_number
from exercises.queries import inbox as inbox_of

PAGE = 50


@for_members
@require_GET
def inbox(request: HttpRequest) -> HttpResponse:
    """What one was told. Looking at it marks nothing: each line does when it is opened, or all do at once."""
    before = read_number(request.GET.get("before"))
    found = list(inbox_of(member(request), before=before if isinstance(before, int) else None)[: PAGE + 1])
    shown = found[:PAGE]
    context = {
        "section": "inbox",
        "notices": shown,
        "is_first": not isinstance(before, int),
        "older": shown[-1].pk if len(found) > PAGE else None,
    }
    return render(request, "exercises/inbox.html", context)


@for_members
@require_POST
def open_notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    """To the page that a line is about; it counts as read from then on."""
    notice = inbox_of(member(request)).get(pk=notice_id)
    services.mark_read([notice])
    # Addresses of notices are made by services, never by people.
    return redirect(notice.url or "learn:inbox")


@for_members
@require_POST
def read_all(request: HttpRequest) -> HttpResponse:
    """Count all lines as read."""
    services.mark_read(inbox_of(member(request)).filter(read_at=None))
    return redirect("learn:inbox")
