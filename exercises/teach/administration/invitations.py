"""A class list, looked at and imported; and the links of new accounts, shown once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django.core import signing
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from exercises.errors import ExerciseError, InvalidFieldError, StaleRosterError
from exercises.imports.roster import FIELD, LARGEST_BYTES, RosterList, decoded, read_roster
from exercises.learn.access import for_members, member
from exercises.learn.refusals import refusal
from exercises.models import Course
from exercises.queries.roster_plan import Fate, RosterPlan, plan_roster
from exercises.services.roster import Invitation, import_roster
from exercises.teach.administration.downloads import csv_answer
from exercises.teach.authoring.access import course_to_change

LINES_SHOWN = 200
LINKS_MINUTES = 15
SALT = "exercises.roster.links"
HEADINGS = ("last_name", "first_name", "username", "external_id", "section", "link", "expires_at")


@for_members
@require_POST
def look(request: HttpRequest, course: str) -> HttpResponse:
    """What importing the list would do; nothing is changed."""
    found = course_to_change(request, course)
    try:
        text, notes = decoded(_sent(request))
        return _plan_page(request, found, read_roster(text, notes=notes))
    except InvalidFieldError as error:
        return refusal(request, error, back_url=reverse("teach:roster", args=(found.slug,)))


@for_members
@require_POST
def take(request: HttpRequest, course: str) -> HttpResponse:
    """Does what the page before has shown, all of it or nothing."""
    found = course_to_change(request, course)
    try:
        listed = read_roster(request.POST.get("list", ""))
        done = import_roster(found, listed.rows, author=member(request), digest=request.POST.get("digest", ""))
    except StaleRosterError as error:
        return _plan_page(request, found, listed, problem=str(error), status=409)
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("teach:roster", args=(found.slug,)))
    return links_page(request, found, done.invitations, plan=done.plan)


@for_members
@require_POST
def links_csv(request: HttpRequest, course: str) -> HttpResponseBase:
    """The links of the page before as a file. They come from that page, signed: the site keeps only hashes."""
    found = course_to_change(request, course)
    try:
        kept = signing.loads(request.POST.get("links", ""), salt=_salt(found), max_age=LINKS_MINUTES * 60)
    except signing.BadSignature:
        error = InvalidFieldError("links", _("These links can no longer be downloaded. Make new ones."))
        return refusal(request, error, back_url=reverse("teach:roster", args=(found.slug,)))
    return csv_answer(f"links-{found.slug}", [HEADINGS, *kept])


def links_page(
    request: HttpRequest, course: Course, invitations: Sequence[Invitation], *, plan: RosterPlan | None = None
) -> HttpResponse:
    """The links, to be printed or saved now: nobody can see them again."""
    memberships = {row.user_id: row for row in course.memberships.filter(user__in=[it.user for it in invitations])}
    rows = [
        {
            "user": it.user,
            "membership": memberships[it.user.pk],
            "url": request.build_absolute_uri(reverse("learn:sign-in-link", args=(it.token,))),
            "expires_at": it.expires_at,
        }
        for it in invitations
    ]
    if not rows:
        return redirect("teach:roster", course.slug)
    context = {
        "course": course,
        "rows": rows,
        "counts": _counts(plan) if plan else [],
        "signed": signing.dumps([_line(row) for row in rows], salt=_salt(course), compress=True),
        "minutes": LINKS_MINUTES,
    }
    return render(request, "exercises/roster_links.html", context)


def _sent(request: HttpRequest) -> bytes:
    file = request.FILES.get("file")
    if not isinstance(file, UploadedFile):
        raise InvalidFieldError(FIELD, _("Choose a file first."))
    # One byte more tells that it is too large: no more of it is taken into memory.
    return cast(bytes, file.read(LARGEST_BYTES + 1))


def _plan_page(
    request: HttpRequest, course: Course, listed: RosterList, *, problem: str = "", status: int = 200
) -> HttpResponse:
    plan = plan_roster(course, listed.rows, importer=member(request))
    in_list = {line.user_id for line in plan.lines}
    others = course.memberships.filter(role="student").exclude(user__in=[pk for pk in in_list if pk]).count()
    context = {
        "course": course,
        "plan": plan,
        "groups": _groups(plan),
        "counts": _counts(plan),
        "notes": listed.notes,
        "problem": problem,
        "others": others,
        "refused": len(plan.of(Fate.REFUSED)),
        "text": listed.text,
    }
    return render(request, "exercises/roster_plan.html", context, status=status)


def _words() -> dict[Fate, str]:
    return {
        Fate.REFUSED: _("Refused"),
        Fate.INVITED: _("Added, with a new account"),
        Fate.ADDED: _("Added, with the account that they have"),
        Fate.CHANGED: _("Changed"),
        Fate.UNCHANGED: _("Left alone"),
    }


def _groups(plan: RosterPlan) -> list[dict[str, Any]]:
    found = [(word, plan.of(fate), fate) for fate, word in _words().items()]
    return [
        {"word": word, "lines": lines[:LINES_SHOWN], "more": max(len(lines) - LINES_SHOWN, 0), "fate": fate.value}
        for word, lines, fate in found
        if lines
    ]


def _counts(plan: RosterPlan) -> list[tuple[str, int]]:
    return [(word, len(lines)) for fate, word in _words().items() if (lines := plan.of(fate))]


def _line(row: dict[str, Any]) -> list[str]:
    user, membership = row["user"], row["membership"]
    person = [user.last_name, user.first_name, user.username, membership.external_id, membership.section]
    return [*person, row["url"], row["expires_at"].isoformat(timespec="minutes")]


def _salt(course: Course) -> str:
    return f"{SALT}.{course.pk}"
