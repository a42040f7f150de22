"""One submission, for the staff of its course: why it was judged so, and what can be done about it."""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from exercises.choices import Reason, Role, State
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.answered import answers_of, asked_prompt
from exercises.learn.comments import comment_views
from exercises.learn.differing import MOST_LINES
from exercises.learn.forms import sent_number, sent_source
from exercises.learn.panels import submission_panel
from exercises.learn.refusals import refusal
from exercises.models import Grading, Submission
from exercises.queries import taught_courses
from exercises.queries.comments import comments_in
from exercises.queries.receipts import staff_run_in, staff_runs_of, submission_by_receipt, submission_in
from exercises.queries.refusal_facts import gradings_of_student
from exercises.services.comments import comment as comment_on
from exercises.services.comments import remove_comment
from exercises.services.staff_runs import put_regrade_in_force, regrade_submission, return_attempt, start_staff_run
from exercises.teach.assistance.reproduction import reproduction_of, response_text
from exercises.teach.assistance.rows import attempt_rows, grading_rows
from exercises.teach.assistance.sent import id_in, role_of, sent_id, sent_text
from exercises.teach.assistance.staff_run_panels import staff_run_panel
from exercises.teach.assistance.why import facts_of, why_of
from exercises.teach.authoring.access import course_of_staff
from exercises.teach.authoring.diffs import diff_lines
from graders.questions.parameters import filled

NOT_FOUND = 404


@for_members
@require_GET
def by_receipt(request: HttpRequest, course: str) -> HttpResponse:
    """To the submission with this receipt number, in whichever course of this person's it is."""
    found = course_of_staff(request, course)
    typed = request.GET.get("receipt", "")
    try:
        submission = submission_by_receipt(member(request), typed)
    except Submission.DoesNotExist:
        context = {"course": found, "typed": typed[:40]}
        return render(request, "exercises/assistance/no_such_receipt.html", context, status=NOT_FOUND)
    return redirect("teach:submission", submission.exercise.course.slug, submission.pk)


@for_members
@require_GET
def submission(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Why it was judged so, beside what its student sees."""
    taught = taught_courses(member(request)).get(slug=course)
    found = submission_in(taught, submission_id)
    gradings, runs = gradings_of_student(found), staff_runs_of(found)
    context = {
        **_head(found),
        "may_change": role_of(taught) == Role.INSTRUCTOR,
        "why": why_of(found, runs),
        "facts": facts_of(found),
        # Rendered as theirs, so without what only its student may press.
        "panel": replace(submission_panel(found, found.student), withdraw_url="", assessment=None),
        "lines": found.source.split("\n") if found.source else [],
        "answers": answers_of(found),
        "asked": "" if found.version.is_code or found.is_erased else asked_prompt(found),
        "gradings": grading_rows(grading for grading in gradings if grading.submission_id == found.pk),
        "attempts": attempt_rows(found, (grading for grading in gradings if grading.in_force)),
        "compared": _compared(found, request.GET.get("with")),
        "comments": comment_views(found, member(request)),
        "open_reports": getattr(found, "open_reports", None),
        "staff_runs": runs,
    }
    return render(request, "exercises/assistance/submission.html", context)


@for_members
@require_GET
def download(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    found = _found(request, course, submission_id)
    response = HttpResponse(reproduction_of(found), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="submission-{found.receipt}.zip"'
    return response


@for_members
@require_POST
def run(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Run a copy, edited or not, through all cases of the version that judged, or of the one that is published."""
    found = _found(request, course, submission_id)
    published = found.exercise.published
    version = published if request.POST.get("version") == "published" and published else found.grading.version
    try:
        started = start_staff_run(found, source=sent_source(request), author=member(request), version=version)
    except ExerciseError as error:
        return refusal(request, error, back_url=_address(found))
    if is_fragment(request):
        context = {"panel": staff_run_panel(started), "course": found.exercise.course}
        return render(request, "exercises/assistance/_staff_run.html", context)
    return redirect("teach:staff-run", course, started.pk)


@for_members
@require_GET
def staff_run(request: HttpRequest, course: str, run_id: int) -> HttpResponse:
    """What a staff run gave."""
    found = course_of_staff(request, course)
    made = staff_run_in(found, run_id)
    context = {"course": found, "run": made, "panel": staff_run_panel(made)}
    if is_fragment(request):
        return render(request, "exercises/assistance/_staff_run.html", context)
    context["lines"] = made.source.split("\n")
    return render(request, "exercises/assistance/staff_run.html", context)


@for_members
@require_POST
def regrade(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Have it judged anew; nothing takes effect yet."""
    found = _found(request, course, submission_id)
    try:
        regrade_submission(found, author=member(request))
    except ExerciseError as error:
        return _back(request, found, str(error))
    return redirect(f"{_address(found)}#gradings")


@for_members
@require_POST
def apply_regrade(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Let the new judging take effect."""
    found = _found(request, course, submission_id)
    grading = Grading.objects.select_related("version", "submission__exercise__course", "submission__version").get(
        pk=sent_id(request, "grading"), submission=found, regrade=None, reason=Reason.DRY_RUN
    )
    try:
        put_regrade_in_force(grading, author=member(request))
    except ExerciseError as error:
        return _back(request, found, str(error))
    messages.success(request, _("It is in force now, and the score follows."))
    return redirect(_address(found))


@for_members
@require_POST
def give_back(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Give the attempt back."""
    found = _found(request, course, submission_id)
    try:
        return_attempt(found, author=member(request), reason=request.POST.get("reason"))
    except ExerciseError as error:
        return _back(request, found, str(error))
    messages.success(request, _("The attempt is given back."))
    return redirect(_address(found))


@for_members
@require_POST
def comment(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Say something of it, at a line or of the whole."""
    found = _found(request, course, submission_id)
    try:
        comment_on(found, author=member(request), text=sent_text(request, "text"), line=sent_number(request, "line"))
    except ExerciseError as error:
        return refusal(request, error, back_url=_address(found))
    return redirect(f"{_address(found)}#comments")


@for_members
@require_POST
def uncomment(request: HttpRequest, course: str, comment_id: int) -> HttpResponse:
    """Take one's own comment back."""
    found = course_of_staff(request, course)
    made = comments_in(found).get(pk=comment_id)
    try:
        remove_comment(made, author=member(request))
    except ExerciseError as error:
        return _back(request, made.submission, str(error))
    return redirect(f"{_address(made.submission)}#comments")


def _found(request: HttpRequest, course: str, submission_id: int) -> Submission:
    return submission_in(course_of_staff(request, course), submission_id)


def _head(submission: Submission) -> dict[str, Any]:
    """What the top of the page says and leads to."""
    course, exercise, grading = submission.exercise.course, submission.exercise, submission.grading
    pending = grading.state in (State.QUEUED, State.RUNNING)
    return {
        "course": course,
        "submission": submission,
        "title": submission.version.title,
        "is_erased": submission.is_erased,
        "can_run": grading.version.is_code and not submission.is_erased,
        "can_regrade": not submission.version.is_reviewed and not pending and not submission.is_erased,
        "can_give_back": getattr(submission, "attempt", None) is not None and not submission.attempt.given_back_at,
        "published_differs": exercise.published_id not in (None, grading.version_id),
    }


def _compared(submission: Submission, asked: str | None) -> dict[str, Any] | None:
    """How it differs from another one of the same student and exercise, which is named by its id."""
    if not id_in(asked):
        return None
    other = Submission.objects.select_related("version").get(
        pk=id_in(asked), student=submission.student_id, exercise=submission.exercise_id
    )
    older, newer = sorted((submission, other), key=_id_of)
    before, after = _text(older).split("\n"), _text(newer).split("\n")
    found = unified_diff(before[:MOST_LINES], after[:MOST_LINES], lineterm="", n=3)
    is_cut = max(len(before), len(after)) > MOST_LINES
    return {"older": older, "newer": newer, "lines": diff_lines("\n".join(found)), "is_cut": is_cut}


def _id_of(submission: Submission) -> int:
    return submission.pk


def _text(submission: Submission) -> str:
    if submission.version.is_code:
        return submission.source
    return response_text(filled(submission.version.definition["exercise"], submission.seed), submission)


def _back(request: HttpRequest, submission: Submission, message: str) -> HttpResponse:
    messages.error(request, message)
    return redirect(_address(submission))


def _address(submission: Submission) -> str:
    return reverse("teach:submission", args=(submission.exercise.course.slug, submission.pk))
