"""Pages across courses: the start page, search."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from exercises import queries
from exercises.choices import STAFF_ROLES
from exercises.learn.access import for_members, member
from exercises.learn.assignment_page import due_rows
from exercises.learn.excerpts import marked, pieces
from exercises.learn.next_step import next_step
from exercises.queries import CourseProgress, Hit
from exercises.queries.spaced_reviews import spaced_reviews
from exercises.queries.withheld import own_assignments, withheld_by

LONGEST_QUERY = 200


@for_members
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    student = member(request)
    assignments = own_assignments(student)
    progress = queries.progress(student, withheld=withheld_by(assignments))
    courses = [_course(item) for item in progress]
    context = {
        "section": "home",
        "may_author": student.is_staff or any(course["author_url"] for course in courses),
        "due": due_rows(assignments),
        "next": next_step(student, progress),
        "reviews": len(spaced_reviews(student, at=timezone.now(), assignments=assignments).due),
        "courses": courses,
        "open_courses": queries.open_courses(student),
    }
    return render(request, "exercises/home.html", context)


@for_members
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:LONGEST_QUERY].strip()
    hits = queries.search(member(request), query) if query else []
    found = ngettext("%(count)d place", "%(count)d places", len(hits)) % {"count": len(hits)}
    context = {
        "query": query,
        "found": found if hits else _("Nothing holds all of these words. Try fewer, or only their beginnings."),
        "hits": [_hit(hit, query) for hit in hits],
    }
    return render(request, "exercises/search.html", context)


def _course(progress: CourseProgress) -> dict[str, Any]:
    course = progress.course
    is_staff = getattr(course, "role", None) in STAFF_ROLES
    return {
        "slug": course.slug,
        "title": course.title,
        "summary": course.summary,
        "url": reverse("learn:course", args=(course.slug,)),
        "class_url": reverse("teach:class", args=(course.slug,)) if is_staff else "",
        "author_url": reverse("authoring:course", args=(course.slug,)) if is_staff else "",
        "solved": progress.solved,
        "total": len(progress.exercises),
    }


def _hit(hit: Hit, query: str) -> dict[str, Any]:
    return {
        "title": hit.title,
        "title_pieces": marked(hit.title, query),
        "course": hit.course.title,
        "icon": "book" if hit.kind == "lesson" else "pencil",
        "url": reverse(f"learn:{hit.kind}", args=(hit.course.slug, hit.slug))
        + (f"#{hit.anchor}" if hit.anchor else ""),
        "excerpt": pieces(hit.excerpt, query),
    }
