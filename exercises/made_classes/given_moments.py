from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import DateTimeField, Model


@contextmanager
def given_moments(*models: type[Model]) -> Iterator[None]:
    """Let rows of these models be written with the moments that they are given, not with that of the writing.

    It holds for the whole process: only a command that does nothing else may use it.
    """
    fields = [field for model in models for field in model._meta.get_fields() if isinstance(field, DateTimeField)]
    before = [(field.auto_now, field.auto_now_add) for field in fields]
    for field in fields:
        field.auto_now = field.auto_now_add = False
    try:
        yield
    finally:
        for field, (auto_now, auto_now_add) in zip(fields, before, strict=True):
            field.auto_now, field.auto_now_add = auto_now, auto_now_add
