"""Everything that was ever saved or published of an exercise: looked at, compared, restored."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.forms import sent_number
from exercises.learn.stretches import stretch_of
from exercises.models import Exercise, ExerciseVersion, Revision
from exercises.queries import files_of, head_of, history_of
from exercises.teach.authoring.access import course_of_staff, course_to_change, exercise_of
from exercises.teach.authoring.answers import back_with, exercise_page
from exercises.teach.authoring.diffs import file_diffs

REVISIONS = 100


@for_members
@require_GET
def history(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """The list; with `?older=r3&newer=v2` the difference between two of them."""
    found = exercise_of(course_of_staff(request, course), exercise)
    older, newer = (_kept(found, request.GET.get(name, "")) for name in ("older", "newer"))
    versions = list(found.versions.select_related("created_by").defer("definition").order_by("-number"))
    stretch = stretch_of(request, history_of(found), size=REVISIONS)
    return exercise_page(
        request,
        found,
        "history.html",
        revisions=[_revision_row(revision, versions) for revision in stretch.rows],
        stretch=stretch,
        versions=versions,
        older=_name(older),
        newer=_name(newer),
        newer_kept=newer,
        older_kept=older,
        is_set_aside=isinstance(newer, Revision) and newer.is_set_aside,
        diffs=file_diffs(older, newer) if older and newer else [],
    )


@for_members
@require_POST
def restore(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """Saves what once stood there as the newest revision."""
    found = exercise_of(course_to_change(request, course), exercise)
    kept = _kept(found, request.POST.get("kept", ""))
    if kept is None:
        raise Revision.DoesNotExist("nothing is named that could be restored")
    head, seen = head_of(found), sent_number(request, "based_on")
    based_on = seen if isinstance(seen, int) else head.number if head else 0
    try:
        saved = services.save_revision(found, files=files_of(kept), based_on=based_on, author=member(request))
    except ExerciseError as error:
        return back_with(request, error, _address(found))
    values = {"what": _name(kept), "number": saved.number}
    messages.success(request, _("%(what)s is the working copy again, as revision %(number)d.") % values)
    return redirect("authoring:exercise", found.course.slug, found.slug)


def _kept(exercise: Exercise, name: str) -> Revision | ExerciseVersion | None:
    """What `r3` or `v2` names. Raises: DoesNotExist."""
    letter, number = name[:1], name[1:]
    if letter not in {"r", "v"} or not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    if letter == "r":
        return exercise.revisions.select_related("saved_by").get(number=int(number))
    return exercise.versions.get(number=int(number))


def _name(kept: Revision | ExerciseVersion | None) -> str:
    if kept is None:
        return ""
    if isinstance(kept, Revision):
        return _("Revision %(number)d") % {"number": kept.number}
    return _("Version %(number)d") % {"number": kept.number}


def _revision_row(revision: Revision, versions: list[ExerciseVersion]) -> dict[str, Any]:
    """A line of the list, with the version that it became."""
    same = [version for version in versions if version.content_hash == revision.content_hash]
    return {"revision": revision, "version": same[0] if same else None, "before": revision.based_on}


def _address(exercise: Exercise) -> str:
    return reverse("authoring:history", args=(exercise.course.slug, exercise.slug))
