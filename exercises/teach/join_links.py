"""Links that make members of a course, for the pages on which staff make them."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest
from django.urls import reverse

from exercises import services
from exercises.choices import Role
from exercises.learn.access import member
from exercises.models import Course

DAYS: Final = 30


def new_join_link(request: HttpRequest, course: Course, role: Role) -> dict[str, Any]:
    """A new link as pages show it, once: only a hash of it is kept. Raises: NotAllowedError as the service does."""
    token = services.create_join_link(course, role, created_by=member(request), days=DAYS)
    url = request.build_absolute_uri(reverse("learn:join", args=(token,)))
    return {"join_url": url, "join_role": role.label, "days": DAYS}
