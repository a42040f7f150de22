"""What students of a course did, for research, in the hands of its instructors."""

from __future__ import annotations

import secrets

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from exercises.choices import Role
from exercises.exports.codebook import CODEBOOK
from exercises.exports.research import research_zip
from exercises.learn.access import for_members, member
from exercises.queries.research import consenting_members
from exercises.services.research import begin_research_export
from exercises.teach.administration.downloads import attachment
from exercises.teach.authoring.access import course_to_change

KEY_BYTES = 32


@for_members
@require_GET
def research(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    context = {
        "course": found,
        "agreeing": consenting_members(found).count(),
        "students": found.memberships.filter(role=Role.STUDENT).count(),
        "files": [(file, list(columns.items())) for file, columns in CODEBOOK.items()],
    }
    return render(request, "exercises/research.html", context)


@for_members
@require_POST
def export(request: HttpRequest, course: str) -> HttpResponseBase:
    """A zip, under names whose key nobody keeps."""
    found = course_to_change(request, course)
    begin_research_export(found, author=member(request))
    pieces = research_zip(found, key=secrets.token_bytes(KEY_BYTES))
    return attachment(f"research-{found.slug}.zip", pieces, content_type="application/zip")
