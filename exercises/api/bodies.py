"""The bodies that the API takes: their fields, for the schema and for refusing any other."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

NOT_AN_OBJECT = "The body must be a JSON object."
LONGEST_TEXT = 1000


class Slug(serializers.CharField):
    """A name in an address, which may be left out."""

    def __init__(self, **about: Any) -> None:
        super().__init__(required=False, min_length=1, max_length=LONGEST_TEXT, **about)


class TokenBody(serializers.Serializer):
    username = serializers.CharField(min_length=1, max_length=LONGEST_TEXT)
    password = serializers.CharField(min_length=1, max_length=LONGEST_TEXT)


class SubmissionBody(serializers.Serializer):
    source = serializers.CharField(required=False, allow_blank=True, help_text="For code: at most 256 KiB, not trimmed")
    response = serializers.JSONField(required=False, help_text="For a question: as its `response_schema` says")
    version = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, help_text="Of the exercise as it was read; refused if outdated"
    )
    assignment = Slug(allow_null=True, help_text="Slug of the assignment that it is for")


class CasesRunBody(serializers.Serializer):
    source = serializers.CharField(allow_blank=True, help_text="At most 256 KiB")


class RunBody(serializers.Serializer):
    source = serializers.CharField(allow_blank=True, help_text="At most 256 KiB")
    lesson = Slug(help_text="Slug of the lesson that the snippet is from")
    snippet = serializers.IntegerField(
        required=False, min_value=0, help_text="Its place among the lesson's snippets, from 0"
    )
    course = Slug(help_text="Slug; needed where two courses have such a lesson")


def fields_of(request: Request, body: type[serializers.Serializer]) -> dict[str, Any]:
    """The fields that were sent. Raises: ValidationError that names each field which `body` has not.

    Types and sizes are checked by the services, for all doors alike.
    """
    sent = request.data
    if not isinstance(sent, dict):
        raise ValidationError({"body": [NOT_AN_OBJECT]})
    known = body().fields
    unknown = [name for name in sent if name not in known]
    if unknown:
        expected = ", ".join(known)
        raise ValidationError({name: [f"There is no such field; known are {expected}."] for name in unknown})
    return sent


def text_of(sent: dict[str, Any], name: str) -> str:
    """A field that must be text, of a length that the database can look for. Raises: ValidationError."""
    value = sent.get(name)
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_TEXT:
        raise ValidationError({name: [f"This must be a text of 1 to {LONGEST_TEXT} characters."]})
    return value
