"""What staff fill in for one student or for many. Services judge what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from exercises.services.announcements import LONGEST_TEXT
from exercises.services.grants import MOST_ATTEMPTS, MOST_MINUTES, Grant
from exercises.services.reasons import LONGEST_REASON
from exercises.teach.assignment_forms import WholeNumberField

Choices = Iterable[tuple[str, str]]


class ReasonField(forms.CharField):
    """Why, in words: kept in the record of the course."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            label=_("Reason"),
            max_length=LONGEST_REASON,
            widget=forms.Textarea(attrs={"rows": 2, "class": "input"}),
            help_text=_("Kept in the record of the course. Students are told what was done, without the reason."),
            **options,
        )


class OverrideForm(forms.Form):
    """A score by hand; `place` is the exercise by itself, or within an assignment."""

    place = forms.ChoiceField(label=_("Of"), widget=forms.Select(attrs={"class": "input"}))
    score = forms.DecimalField(
        label=_("Points"),
        min_value=0,
        max_digits=9,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"class": "input short", "step": "any"}),
    )
    reason = ReasonField()

    def __init__(self, places: Choices, data: Any = None) -> None:
        super().__init__(data, auto_id="id_override_%s")
        self.fields["place"].choices = list(places)  # type: ignore[attr-defined]  # a choice field


class GrantForm(forms.Form):
    """Time and attempts."""

    assignment = forms.ChoiceField(label=_("Assignment"), required=False, widget=forms.Select(attrs={"class": "input"}))
    minutes = WholeNumberField(
        label=_("Dates later, in minutes"),
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=_("Due and closing dates move from where each student has them. A day has 1440 minutes."),
    )
    clock_minutes = WholeNumberField(
        label=_("Clocks of a quiz longer, in minutes"),
        min_value=0,
        max_value=MOST_MINUTES,
        help_text=_("Of those that run. Those that ended by themselves no longer ago than that run again."),
    )
    extra_attempts = WholeNumberField(label=_("More attempts at each exercise"), min_value=0, max_value=MOST_ATTEMPTS)
    factor = forms.DecimalField(
        label=_("Every clock to come is longer by this factor"),
        required=False,
        min_value=1,
        max_value=10,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"class": "input short", "step": "0.05"}),
        help_text=_("In place of the factor before. Empty: as it is."),
    )
    reason = ReasonField()

    def __init__(self, assignments: Choices, data: Any = None) -> None:
        super().__init__(data, auto_id="id_grant_%s")
        self.fields["assignment"].choices = [("", _("none"))] + list(assignments)  # type: ignore[attr-defined]  # a choice field

    def grant(self, assignment: Any) -> Grant:
        """What was filled in, for this assignment."""
        given = self.cleaned_data
        return Grant(
            assignment=assignment,
            minutes=given["minutes"] or 0,
            clock_minutes=given["clock_minutes"] or 0,
            extra_attempts=given["extra_attempts"] or 0,
            factor=given["factor"],
        )


class GroupGrantForm(GrantForm):
    """The same for a section or for everyone."""

    who = forms.ChoiceField(label=_("For"), widget=forms.Select(attrs={"class": "input"}))
    field_order = ["who"]

    def __init__(self, assignments: Choices, groups: Choices, data: Any = None) -> None:
        super().__init__(assignments, data)
        self.fields["who"].choices = list(groups)  # type: ignore[attr-defined]  # a choice field


class AnnouncementForm(forms.Form):
    """A word to the class, and the exercise that it is about, if it is about one."""

    text = forms.CharField(
        label=_("Text"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 4, "class": "input"})
    )
    exercise = forms.ChoiceField(label=_("About"), required=False, widget=forms.Select(attrs={"class": "input"}))

    def __init__(self, exercises: Choices, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["exercise"].choices = [("", _("the course"))] + list(exercises)  # type: ignore[attr-defined]  # a choice field
