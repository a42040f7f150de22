"""What authors fill in. Services judge what is allowed."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _

from exercises.choices import Kind

NOT_OF_SLUG = re.compile(r"[^a-z0-9]+")
LONGEST_SLUG = 50


def slug_of(title: str) -> str:
    """A title as an address: small letters, digits and single hyphens."""
    return NOT_OF_SLUG.sub("-", title.lower()).strip("-")[:LONGEST_SLUG].strip("-")


class SluggedForm(forms.Form):
    """A form whose `slug` follows from its title where it is left empty."""

    def clean(self) -> dict[str, Any]:
        cleaned = {**(super().clean() or {})}
        if "title" in cleaned and not cleaned.get("slug"):
            cleaned["slug"] = slug_of(cleaned["title"])
        return cleaned


class CourseSettingsForm(forms.Form):
    title = forms.CharField(label=_("Title"), max_length=200)
    summary = forms.CharField(
        label=_("Summary"), required=False, widget=forms.Textarea(attrs={"rows": 3, "class": "input"})
    )
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=[(zone, zone) for zone in sorted(available_timezones())],
        initial="UTC",
        widget=forms.Select(attrs={"class": "input"}),
        help_text=_("Dates of the course are on this clock."),
    )
    self_paced = forms.BooleanField(
        label=_("Self-paced: anyone who is signed in may join, without staff"), required=False
    )
    required_score = forms.FloatField(
        label=_("Mutation score that publishing asks for"),
        min_value=0,
        max_value=1,
        initial=0.9,
        widget=forms.NumberInput(attrs={"step": "0.01", "class": "input"}),
        help_text=_("0 to 1: the share of small changes of your reference that an exercise's cases must refuse."),
    )
    keeps_better_score = forms.BooleanField(
        label=_("In a regrade nobody loses points: the better score is kept"), required=False
    )


class NewCourseForm(SluggedForm, CourseSettingsForm):
    slug = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_SLUG,
        required=False,
        help_text=_("Small letters, digits and hyphens; made of the title if you leave it empty."),
    )
    field_order = ["title", "slug"]


class NewLessonForm(SluggedForm):
    title = forms.CharField(label=_("Title"), max_length=200)
    slug = forms.CharField(
        label=_("Address"), max_length=LONGEST_SLUG, required=False, help_text=_("Made of the title if empty.")
    )


class NewExerciseForm(SluggedForm):
    title = forms.CharField(label=_("Title"), max_length=200)
    kind = forms.ChoiceField(
        label=_("Kind"), choices=Kind.choices, initial=Kind.CODE, widget=forms.Select(attrs={"class": "input"})
    )
    slug = forms.CharField(
        label=_("Address"), max_length=LONGEST_SLUG, required=False, help_text=_("Made of the title if empty.")
    )
