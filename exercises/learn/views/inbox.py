from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from exercises import services
from exercises.learn.access import for_members, member
from exercises.learn.forms import read_number
from exercises.queries import inbox as inbox_of

PAGE = 50


@for_members
@require_GET
def inbox(request: HttpRequest) -> HttpResponse:
    """What one was told; what the page shows counts as read afterwards, and is marked as new this once."""
    before = read_number(request.GET.get("before"))
    found = list(inbox_of(member(request), before=before if isinstance(before, int) else None)[: PAGE + 1])
    shown = found[:PAGE]
    services.mark_read(shown)
    context = {
        "section": "inbox",
        "notices": shown,
        "is_first": not isinstance(before, int),
        "older": shown[-1].pk if len(found) > PAGE else None,
    }
    return render(request, "exercises/inbox.html", context)
