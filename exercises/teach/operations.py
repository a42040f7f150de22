"""For those who run the site: what waits, how long it takes, what failed by our fault, and how each runner stands."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_POST

from exercises import runner_status, services
from exercises.errors import RegradeImpossibleError
from exercises.learn.access import for_members, member
from exercises.learn.forms import read_number
from exercises.learn.marks import verdict_mark
from exercises.models import User
from exercises.queries import faults_lately, finished_lately, running_work, waiting_work

FAULTS = 50
WORDS = {
    "run": gettext_lazy("runs"),
    "submission": gettext_lazy("submissions"),
    "replaced": gettext_lazy("replaced submissions"),
    "regrade": gettext_lazy("regrades"),
    "check": gettext_lazy("checks of exercises"),
}
"""What is worked on, by the names of lanes and of kinds of work."""


@for_members
@require_GET
def operations(request: HttpRequest) -> HttpResponse:
    _operator(request)
    now = timezone.now()
    waiting = waiting_work(at=now)
    lately = finished_lately(at=now)
    context = {
        "section": "operations",
        "now": now,
        "waiting": [(WORDS[lane.lane], lane.count, lane.age_seconds) for lane in waiting],
        "running": [(WORDS[kind], count) for kind, count in running_work().items()],
        "lately": lately,
        "verdicts": [(verdict_mark(verdict).word, count) for verdict, count in lately.verdicts.items()],
        "faults": faults_lately(at=now)[:FAULTS],
        "runners": [(status, *_moment(status)) for status in runner_status.every()],
    }
    return render(request, "exercises/operations.html", context)


@for_members
@require_POST
def requeue(request: HttpRequest) -> HttpResponse:
    """Puts back those that were ticked, or the one whose button was pressed."""
    operator = _operator(request)
    numbers = [read_number(value) for value in request.POST.getlist("grading")]
    try:
        count = services.requeue([number for number in numbers if isinstance(number, int)], actor=operator)
    except RegradeImpossibleError as error:
        messages.error(request, str(error))
        return redirect("teach:operations")
    words = ngettext("%d submission is queued again.", "%d submissions are queued again.", count) % count
    messages.success(request, words)
    return redirect("teach:operations")


def _moment(status: runner_status.RunnerStatus) -> tuple[bool, datetime]:
    """Whether it was reported lately, and when."""
    return runner_status.is_fresh(status), datetime.fromtimestamp(status.reported_at, tz=UTC)


def _operator(request: HttpRequest) -> User:
    """Who asks, if they run this site; to others the page does not exist."""
    user = member(request)
    if not user.is_staff:
        raise Http404
    return user
