"""What instructors fill in about assignments. Dates are on the clock of the course; services judge what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exercises.choices import Counted, Shown
from exercises.dates import OUT_OF_BOUNDS, is_within_bounds
from exercises.models import Exercise
from exercises.teach.authoring.forms import LONGEST_SLUG, SluggedForm

MOST_POINTS = 9999
MOST_WEIGHT = 1000


class MomentField(forms.DateTimeField):
    """A date with a time, as browsers ask for it."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local", "class": "input"})
        super().__init__(required=False, widget=widget, **options)

    def to_python(self, value: Any) -> datetime | None:
        """Raises: ValidationError, also for a date that cannot be reckoned with."""
        at = super().to_python(value)
        if at is not None and not is_within_bounds(at):
            raise forms.ValidationError(OUT_OF_BOUNDS, code="out_of_bounds")
        return at


class WholeNumberField(forms.IntegerField):
    """A whole number that may be left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.NumberInput(attrs={"class": "input"}), **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """Fields that belong together, below a legend; the first ones need none."""

    legend: str | Promise = ""
    names: tuple[str, ...]
    is_in_rows: bool = False


GROUPS = (
    FieldGroup(names=("title", "slug", "is_hidden")),
    FieldGroup(legend=_("Dates"), names=("opens_at", "due_at", "closes_at"), is_in_rows=True),
    FieldGroup(
        legend=_("Attempts and lateness"),
        names=("max_attempts", "counted", "grace_minutes", "late_percent_per_day"),
        is_in_rows=True,
    ),
    FieldGroup(
        legend=_("Outcomes and weight"),
        names=("outcomes_shown", "solutions_shown", "weight"),
        is_in_rows=True,
    ),
    FieldGroup(legend=_("A quiz"), names=("is_quiz", "one_question_a_page", "is_shuffled", "minutes")),
)


class AssignmentForm(forms.Form):
    title = forms.CharField(label=_("Title"), max_length=200)
    is_hidden = forms.BooleanField(label=_("Seen by staff alone, for now"), required=False)
    opens_at = MomentField(label=_("Opens"), help_text=_("Empty: at once."))
    due_at = MomentField(label=_("Due"), help_text=_("What comes later is late. Empty: nothing is late."))
    closes_at = MomentField(label=_("Closes"), help_text=_("Later there is only practice. Empty: never."))
    grace_minutes = WholeNumberField(label=_("Grace, in minutes"), min_value=0, max_value=32767, initial=0)
    late_percent_per_day = WholeNumberField(
        label=_("Being late costs, in % of the points"),
        min_value=0,
        max_value=100,
        help_text=_("For each day that has begun after the due date and the grace. Empty: nothing."),
    )
    max_attempts = WholeNumberField(
        label=_("Attempts at each exercise"), min_value=1, max_value=1000, help_text=_("Empty: as the exercise says.")
    )
    counted = forms.ChoiceField(
        label=_("What counts of several hand-ins"),
        choices=Counted.choices,
        initial=Counted.BEST,
        widget=forms.Select(attrs={"class": "input"}),
    )
    weight = forms.DecimalField(
        label=_("Weight in the gradebook"),
        min_value=0,
        max_value=MOST_WEIGHT,
        decimal_places=2,
        initial=1,
        widget=forms.NumberInput(attrs={"class": "input short", "step": "any"}),
        help_text=_("2 counts twice as much as 1, whatever the points; 0 not at all."),
    )
    outcomes_shown = forms.ChoiceField(
        label=_("Outcomes are shown"),
        choices=Shown.choices,
        initial=Shown.AT_ONCE,
        widget=forms.Select(attrs={"class": "input"}),
        help_text=_("Until then students see that they handed in, the receipt and the time; staff see everything."),
    )
    solutions_shown = forms.ChoiceField(
        label=_("Solutions are shown"),
        choices=Shown.choices,
        initial=Shown.CLOSED,
        widget=forms.Select(attrs={"class": "input"}),
        help_text=_("To those who may see them at all."),
    )
    is_quiz = forms.BooleanField(label=_("It is a quiz: nothing is shown until a student starts it"), required=False)
    one_question_a_page = forms.BooleanField(label=_("One question a page; else all on one page"), required=False)
    is_shuffled = forms.BooleanField(label=_("Each student has the questions in an order of their own"), required=False)
    minutes = WholeNumberField(
        label=_("The quiz's clock, in minutes"),
        min_value=1,
        max_value=32767,
        help_text=_("From each student's own start, longer by their extra time. Empty: no clock."),
    )

    @property
    def groups(self) -> list[tuple[FieldGroup, list[BoundField]]]:
        """Each group with those of its fields that the form has."""
        return [(group, [self[name] for name in group.names if name in self.fields]) for group in GROUPS]

    def clean_grace_minutes(self) -> int:
        """None when left out."""
        return self.cleaned_data["grace_minutes"] or 0


class NewAssignmentForm(SluggedForm, AssignmentForm):
    slug = forms.CharField(
        label=_("Address"), max_length=LONGEST_SLUG, required=False, help_text=_("Made of the title if empty.")
    )
    field_order = ["title", "slug"]


class PointsForm(forms.Form):
    """A number of points for each exercise of the course that is to be in the assignment."""

    def __init__(self, exercises: Iterable[Exercise], data: Any = None, *, points: Mapping[int, str] | None = None):
        super().__init__(data, prefix="points")
        for exercise in exercises:
            title = exercise.published.title if exercise.published else exercise.slug
            self.fields[str(exercise.pk)] = forms.DecimalField(
                label=title,
                required=False,
                min_value=0,
                max_value=MOST_POINTS,
                decimal_places=2,
                initial=(points or {}).get(exercise.pk),
                widget=forms.NumberInput(attrs={"class": "input short", "step": "any"}),
            )

    @property
    def points(self) -> dict[int, Decimal]:
        """What was given, by the exercise's id."""
        return {int(name): value for name, value in self.cleaned_data.items() if value is not None}


class ExtensionForm(forms.Form):
    student = forms.TypedChoiceField(label=_("Student"), coerce=int, widget=forms.Select(attrs={"class": "input"}))
    due_at = MomentField(label=_("Due"), help_text=_("Empty: as for all."))
    closes_at = MomentField(label=_("Closes"), help_text=_("Empty: as for all, or when it is due."))
    extra_attempts = WholeNumberField(label=_("More attempts"), min_value=0, max_value=1000, initial=0)
    reason = forms.CharField(
        label=_("Reason"), required=False, widget=forms.Textarea(attrs={"rows": 2, "class": "input"}), max_length=2000
    )

    def __init__(self, students: Iterable[tuple[int, str]], data: Any = None) -> None:
        super().__init__(data, auto_id="id_extension_%s")
        self.fields["student"].choices = list(students)  # type: ignore[attr-defined]  # a choice field

    def clean_extra_attempts(self) -> int:
        """None when left out."""
        return self.cleaned_data["extra_attempts"] or 0


class ExtraTimeForm(forms.Form):
    factor = forms.DecimalField(
        label=_("Every clock is longer by this factor"),
        min_value=1,
        max_value=10,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"class": "input short", "step": "0.05"}),
        help_text=_("1 is as for all, 1.25 a quarter more. Clocks that run get longer at once."),
    )
