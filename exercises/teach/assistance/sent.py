"""What forms of staff send, as services take it."""

from __future__ import annotations

from django.http import HttpRequest

from exercises.choices import Role
from exercises.learn.forms import read_number
from exercises.models import Course


def sent_id(request: HttpRequest, name: str) -> int:
    """The id that was sent; 0, which nothing has, where it is none."""
    return id_in(request.POST.get(name))


def sent_ids(request: HttpRequest, name: str) -> list[int]:
    """All the ids that were sent under this name, without what is none."""
    return [found for value in request.POST.getlist(name) if (found := id_in(value))]


def id_in(text: str | None) -> int:
    """The id that a text writes; 0 where it writes none."""
    number = read_number(text)
    return number if isinstance(number, int) else 0


def sent_text(request: HttpRequest, name: str) -> str:
    """A text with the line ends that were typed."""
    return request.POST.get(name, "").replace("\r\n", "\n")


def role_of(course: Course) -> Role | None:
    """The role that `queries.taught_courses` found with the course: no further query."""
    return getattr(course, "role", None)
