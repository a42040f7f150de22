"""The people of a course, for its staff: who is in it, in which section, and how they get in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.choices import ROLES_OF_PEOPLE, Role
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.refusals import refusal
from exercises.models import Course, Membership
from exercises.queries.memberships import members_of, sections_of
from exercises.queries.roster_plan import LONGEST
from exercises.services.resets import reset_sign_in, why_not_reset
from exercises.services.roster import change_member, move_to_section, remove_member
from exercises.teach.administration.downloads import csv_answer
from exercises.teach.administration.invitations import links_page
from exercises.teach.assistance.sent import sent_ids
from exercises.teach.authoring.access import course_of_staff, course_to_change, may_change
from exercises.teach.authoring.answers import form_refused
from exercises.teach.join_links import new_join_link

MEMBERS_A_PAGE = 100
BAD_REQUEST = 400
ROLES = [(role.value, role.label) for role in ROLES_OF_PEOPLE]
COLUMNS = ("username", "email", "last_name", "first_name", "external_id", "section", "role")


class MemberForm(forms.Form):
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ROLES, widget=forms.Select(attrs={"class": "input"}))
    section = forms.CharField(
        label=gettext_lazy("Section"),
        max_length=LONGEST["section"],
        required=False,
        widget=forms.TextInput(attrs={"class": "input"}),
    )
    external_id = forms.CharField(
        label=gettext_lazy("External id"),
        max_length=LONGEST["external_id"],
        required=False,
        widget=forms.TextInput(attrs={"class": "input"}),
        help_text=gettext_lazy("As the registrar knows the person. It is in the gradebook's files."),
    )


@for_members
@require_GET
def roster(request: HttpRequest, course: str) -> HttpResponse:
    return roster_page(request, course_of_staff(request, course))


@for_members
@require_GET
def as_csv(request: HttpRequest, course: str) -> HttpResponseBase:
    """The members as a list that can be imported again."""
    found = course_of_staff(request, course)
    rows = (_row(membership) for membership in members_of(found).iterator())
    return csv_answer(f"roster-{found.slug}", _headed(rows))


@for_members
@require_POST
def move(request: HttpRequest, course: str) -> HttpResponse:
    """Puts those who are ticked into a section."""
    found = course_to_change(request, course)
    ids, section = sent_ids(request, "member"), request.POST.get("section", "").strip()
    try:
        count = move_to_section(found, ids, author=member(request), section=section)
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("teach:roster", args=(found.slug,)))
    messages.success(request, _("Moved: %(count)d.") % {"count": count})
    return redirect("teach:roster", found.slug)


@for_members
@require_POST
def make_link(request: HttpRequest, course: str) -> HttpResponse:
    """Makes a join link and shows it, once: only a hash of it is kept."""
    found = course_of_staff(request, course)
    role = request.POST.get("role", Role.STUDENT)
    if role not in ROLES_OF_PEOPLE:
        return roster_page(request, found, status=BAD_REQUEST)
    try:
        made = new_join_link(request, found, Role(role))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("teach:roster", args=(found.slug,)))
    return roster_page(request, found, **made)


@for_members
@require_POST
def revoke_link(request: HttpRequest, course: str, link_id: int) -> HttpResponse:
    found = course_to_change(request, course)
    services.revoke_join_link(found.join_links.get(pk=link_id), by=member(request))
    return redirect("teach:roster", found.slug)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def one_member(request: HttpRequest, course: str, member_id: int) -> HttpResponse:
    """A member to be changed."""
    found = course_to_change(request, course)
    membership = _member(found, member_id)
    if request.method != "POST":
        initial = {name: getattr(membership, name) for name in MemberForm.base_fields}
        return _member_page(request, membership, MemberForm(initial=initial))
    form = MemberForm(request.POST)
    if form.is_valid():
        try:
            change_member(membership, author=member(request), **form.cleaned_data)
        except ExerciseError as error:
            membership.refresh_from_db()
            form_refused(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("teach:roster", found.slug)
    return _member_page(request, membership, form, status=BAD_REQUEST)


@for_members
@require_POST
def remove(request: HttpRequest, course: str, member_id: int) -> HttpResponse:
    found = course_to_change(request, course)
    membership = _member(found, member_id)
    try:
        remove_member(membership, author=member(request))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("teach:member", args=(found.slug, member_id)))
    messages.success(request, _("%(name)s is no longer in the course.") % {"name": membership.user})
    return redirect("teach:roster", found.slug)


@for_members
@require_POST
def reset(request: HttpRequest, course: str, member_id: int) -> HttpResponse:
    """Makes a link that signs a student in, and shows it, once."""
    found = course_to_change(request, course)
    try:
        invitation = reset_sign_in(_member(found, member_id), author=member(request))
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("teach:member", args=(found.slug, member_id)))
    return links_page(request, found, [invitation])


def roster_page(request: HttpRequest, course: Course, *, status: int = 200, **more: Any) -> HttpResponse:
    """The page with all members, a page of them at a time."""
    section, role = request.GET.get("section") or None, request.GET.get("role") or None
    words = request.GET.get("q", "").split()[:5]
    found = members_of(course, section=section, role=role)
    for word in words:
        found = found.filter(
            Q(user__last_name__icontains=word)
            | Q(user__first_name__icontains=word)
            | Q(user__username__icontains=word)
            | Q(external_id__icontains=word)
        )
    open_links = course.join_links.filter(revoked_at=None, expires_at__gt=timezone.now()).order_by("pk")
    is_instructor = may_change(request, course)
    context = {
        "course": course,
        "page": Paginator(found, MEMBERS_A_PAGE).get_page(request.GET.get("page")),
        "sections": sections_of(course),
        "section": section,
        "role": role,
        "words": " ".join(words),
        "roles": ROLES,
        "link_roles": ROLES if is_instructor else ROLES[:1],
        "links": list(open_links.select_related("created_by")),
        "may_change": is_instructor,
        "longest_section": LONGEST["section"],
    }
    return render(request, "exercises/roster.html", {**context, **more}, status=status)


def _member_page(request: HttpRequest, membership: Membership, form: MemberForm, *, status: int = 200) -> HttpResponse:
    context = {
        "course": membership.course,
        "membership": membership,
        "form": form,
        "why_not_reset": why_not_reset(membership, member(request)),
        "is_self": membership.user_id == member(request).pk,
    }
    return render(request, "exercises/member.html", context, status=status)


def _member(course: Course, member_id: int) -> Membership:
    return members_of(course).select_related("course").get(pk=member_id)


def _row(membership: Membership) -> list[str]:
    user = membership.user
    person = (user.username, user.email, user.last_name, user.first_name)
    return [*person, membership.external_id, membership.section, membership.role]


def _headed(rows: Any) -> Any:
    yield list(COLUMNS)
    yield from rows
