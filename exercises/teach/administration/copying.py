"""A course once more, for the next term."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.services.course_copies import copy_course, first_date
from exercises.teach.authoring.access import course_to_change
from exercises.teach.authoring.answers import form_refused
from exercises.teach.authoring.forms import LONGEST_SLUG, SluggedForm

BAD_REQUEST = 400


class CopyForm(SluggedForm):
    title = forms.CharField(label=gettext_lazy("Title of the copy"), max_length=200)
    slug = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=LONGEST_SLUG,
        required=False,
        help_text=gettext_lazy("Made of the title if empty."),
    )
    starts_on = forms.DateField(
        label=gettext_lazy("Day of the first date"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date", "class": "input short"}),
    )


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def copy(request: HttpRequest, course: str) -> HttpResponse:
    found = course_to_change(request, course)
    first = first_date(found)
    form = CopyForm(request.POST if request.method == "POST" else None, initial={"title": found.title})
    if first is None:
        del form.fields["starts_on"]
    else:
        form.fields["starts_on"].help_text = _(
            "Now the first date of an assignment is on %(day)s. All dates move by as many days. Empty: they have none."
        ) % {"day": first.isoformat()}
    if form.is_valid():
        try:
            made = copy_course(found, author=member(request), **form.cleaned_data)
        except ExerciseError as error:
            form_refused(form, error)
        else:
            messages.success(request, _("Copied. Nobody is in it yet but you."))
            return redirect("authoring:course", made.slug)
    status = BAD_REQUEST if form.errors else 200
    return render(request, "exercises/copy_course.html", {"course": found, "form": form}, status=status)
