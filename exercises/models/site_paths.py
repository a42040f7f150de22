"""Addresses of the site's own pages, as they are stored."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models


class SitePathField(models.CharField):  # type: ignore[type-arg]  # generic for the type checker alone
    """The path of one of our pages, stored without the sub-path of the site: it stays right when the site moves."""

    def deconstruct(self) -> Any:
        """What stands in migrations: to the database it is text."""
        name, _, arguments, keywords = super().deconstruct()
        return name, "django.db.models.CharField", arguments, keywords

    def get_prep_value(self, value: Any) -> Any:
        """The path as it is stored and looked for."""
        text = super().get_prep_value(value)
        return text.removeprefix(settings.SUB_PATH) if isinstance(text, str) else text

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        """The path below which the site lies now, and this one."""
        return f"{settings.SUB_PATH}{value}" if value else value
