from __future__ import annotations

from django import template

from exercises import queries
from exercises.models import User

register = template.Library()


@register.simple_tag
def unread_notices(user: User) -> int:
    """How many lines of the person's inbox are new; asked once a page, for all places that show it."""
    return queries.unread_notices(user)
