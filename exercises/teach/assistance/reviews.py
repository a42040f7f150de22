"""Reading explanations: by question, alike ones together, by keyboard, with a second reader."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from exercises import services
from exercises.choices import Lane, State
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.assessments import sent_points
from exercises.models import Course, Grading, Submission
from exercises.queries.receipts import submission_in
from exercises.queries.reviewing import answers_to, review_queues
from exercises.services.marking import MOST_ALIKE, mark_beside, put_review_in_force, review_alike, undo_reviews
from exercises.teach.assistance.review_pages import (
    SHOWN,
    WAITING,
    Answer,
    Group,
    Reading,
    criteria_of,
    groups_of,
    one_answer,
    question_of,
)
from exercises.teach.assistance.sent import sent_id, sent_ids, sent_text
from exercises.teach.authoring.access import course_of_staff, exercise_of

UNDO = "undo_reviews"
CONFLICT = 409


@for_members
@require_GET
def queues(request: HttpRequest, course: str) -> HttpResponse:
    """The questions that a person judges, each with how many answers wait."""
    found = course_of_staff(request, course)
    context = {"course": found, "queues": review_queues(found)}
    return render(request, "exercises/assistance/review_queues.html", context)


@for_members
@require_GET
def queue(request: HttpRequest, course: str, exercise: str) -> HttpResponse:
    """The answers to one question, alike ones together."""
    found = course_of_staff(request, course)
    reading = _reading(request, found, exercise)
    undoable = request.session.get(UNDO, {})
    context = {
        **_shared(reading),
        "groups": groups_of(reading),
        "undo": len(undoable.get("ids", ())) if undoable.get("course") == found.slug else 0,
    }
    return render(request, "exercises/assistance/review_queue.html", context)


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, course: str, exercise: str, submission_id: int) -> HttpResponse:
    """One answer with its rubric; saving leads to the next one."""
    reading = _reading(request, course_of_staff(request, course), exercise)
    found = submission_in(reading.exercise.course, submission_id)
    if found.exercise_id != reading.exercise.pk or not found.version.is_reviewed:
        raise Submission.DoesNotExist(f"submission {submission_id} is none to be read here")
    in_order = _in_order(groups_of(reading))
    if request.method != "POST":
        return _answer_page(request, reading, found, in_order)
    try:
        grading = _save(request, found)
    except ExerciseError as error:
        messages.error(request, str(error))
        return _answer_page(request, reading, found, in_order, status=CONFLICT)
    if grading.in_force:
        _remember(request, reading.exercise.course, [grading])
    after = _neighbour(in_order, found.pk, step=1)
    return redirect(after.url if after else reading.url("review-queue"))


@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def alike(request: HttpRequest, course: str, exercise: str, submission_id: int) -> HttpResponse:
    """Answers that are alike, read together; those that are not ticked are left for later."""
    reading = _reading(request, course_of_staff(request, course), exercise)
    group = next((group for group in groups_of(reading) if submission_id in map(_id_of, group.answers)), None)
    if group is None:
        # Somebody has read it meanwhile.
        return redirect(reading.url("review-queue"))
    first = submission_in(reading.exercise.course, submission_id)
    if request.method == "POST":
        waiting = answers_to(reading.exercise, is_read=False).select_related("exercise__course")
        ticked = sent_ids(request, "answer")
        chosen = list(waiting.filter(pk__in=ticked))
        given: dict[str, Any] = {"points": sent_points(request.POST, first), "comment": sent_text(request, "comment")}
        try:
            gradings = review_alike(chosen, reviewer=member(request), **given)
        except ExerciseError as error:
            messages.error(request, str(error))
        else:
            _remember(request, reading.exercise.course, gradings)
            _tell_read(request, len(gradings), left=len(set(ticked)) - len(gradings))
            return redirect(reading.url("review-queue"))
    context = {
        **_shared(reading),
        **question_of(first),
        "group": replace(group, answers=group.answers[:MOST_ALIKE]),
        "later": max(len(group.answers) - MOST_ALIKE, 0),
        "criteria": criteria_of(first, {}),
    }
    status = CONFLICT if request.method == "POST" else 200
    return render(request, "exercises/assistance/review_alike.html", context, status=status)


@for_members
@require_POST
def undo(request: HttpRequest, course: str) -> HttpResponse:
    """Take back what one gave last."""
    found = course_of_staff(request, course)
    kept = request.session.pop(UNDO, {})
    number = undo_reviews(found, kept["ids"], author=member(request)) if kept.get("course") == found.slug else 0
    told = ngettext("%(n)d review was taken back.", "%(n)d reviews were taken back.", number) % {"n": number}
    messages.success(request, told)
    return redirect("teach:review-queues", course)


@for_members
@require_POST
def stand(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Let another reader's points stand."""
    found = submission_in(course_of_staff(request, course), submission_id)
    mark = Grading.objects.select_related("submission__exercise__course", "submission__version", "reviewer").get(
        pk=sent_id(request, "mark"), submission=found, lane=Lane.REVIEW
    )
    try:
        put_review_in_force(mark, author=member(request))
    except ExerciseError as error:
        messages.error(request, str(error))
    return redirect("teach:read-answer", course, found.exercise.slug, found.pk)


def _reading(request: HttpRequest, course: Course, slug: str) -> Reading:
    asked = request.GET.get("show", WAITING)
    return Reading(
        exercise=exercise_of(course, slug),
        shown=asked if asked in SHOWN else WAITING,
        is_anonymous=request.GET.get("anonymous") == "1",
    )


def _shared(reading: Reading) -> dict[str, Any]:
    exercise = reading.exercise
    return {
        "course": exercise.course,
        "exercise": exercise,
        "title": exercise.published.title if exercise.published else exercise.slug,
        "reading": reading,
        "queue_url": reading.url("review-queue"),
    }


def _answer_page(
    request: HttpRequest, reading: Reading, found: Submission, in_order: list[Answer], *, status: int = 200
) -> HttpResponse:
    mine = Grading.objects.filter(
        submission=found, reviewer=member(request), lane=Lane.REVIEW, state=State.GRADED
    ).last()
    given: dict[int, object] = dict(mine.case_results.values_list("index", "points")) if mine else {}
    # Whoever reads second is not told what the first one gave before they have given theirs.
    shown = next((one for one in in_order if one.id == found.pk), None) or one_answer(reading, found)
    others = [mark for mark in shown.marks if mine is not None or mark.by == str(member(request))]
    context = {
        **_shared(reading),
        **question_of(found),
        "answer": shown,
        "submission": found,
        "criteria": criteria_of(found, given),
        "marks": others,
        "hides_marks": len(others) < len(shown.marks),
        "is_second": any(mark.in_force for mark in shown.marks) and found.grading.reviewer_id != member(request).pk,
        "before": _neighbour(in_order, found.pk, step=-1),
        "after": _neighbour(in_order, found.pk, step=1),
        "place": next((n for n, one in enumerate(in_order, start=1) if one.id == found.pk), None),
        "total": len(in_order),
    }
    return render(request, "exercises/assistance/review_answer.html", context, status=status)


def _save(request: HttpRequest, found: Submission) -> Grading:
    """The review that was sent: beside another reader's, if it is asked for, else in force."""
    given: dict[str, Any] = {"points": sent_points(request.POST, found), "comment": sent_text(request, "comment")}
    if request.POST.get("beside") == "1" and found.grading.state == State.GRADED:
        return mark_beside(found, reviewer=member(request), **given)
    return services.review(found, reviewer=member(request), **given)


def _remember(request: HttpRequest, course: Course, gradings: list[Grading]) -> None:
    """Keep what was given last, so that it can be taken back."""
    request.session[UNDO] = {"course": course.slug, "ids": [grading.pk for grading in gradings]}


def _tell_read(request: HttpRequest, count: int, *, left: int) -> None:
    told = ngettext("%(n)d answer was read.", "%(n)d answers were read.", count) % {"n": count}
    messages.success(request, told)
    if left:
        others = ngettext(
            "%(n)d was read by somebody else meanwhile, and stays as they judged it.",
            "%(n)d were read by somebody else meanwhile, and stay as they judged them.",
            left,
        )
        messages.info(request, others % {"n": left})


def _in_order(groups: list[Group]) -> list[Answer]:
    return list(chain.from_iterable(group.answers for group in groups))


def _neighbour(in_order: list[Answer], submission_id: int, *, step: int) -> Answer | None:
    ids = [one.id for one in in_order]
    place = ids.index(submission_id) + step if submission_id in ids else 0
    return in_order[place] if 0 <= place < len(in_order) and ids[place] != submission_id else None


def _id_of(answer: Answer) -> int:
    return answer.id
