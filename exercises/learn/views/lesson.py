from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from exercises import services
from exercises.choices import RunKind
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, is_fragment, member
from exercises.learn.asking import form_about_lesson
from exercises.learn.exercise_page import exercise_page, with_draft
from exercises.learn.forms import sent_number, sent_source
from exercises.learn.lesson_page import sections, with_parts
from exercises.learn.refusals import refusal
from exercises.learn.rows import exercise_rows
from exercises.learn.run_panels import run_panel
from exercises.models import BestScore, Draft, Exercise, Lesson, User
from exercises.queries import Encounter, ExerciseProgress, exercises_under_review, lesson_for
from exercises.queries.best_scores import shown_best_scores
from exercises.queries.encounters import attempts_used
from exercises.queries.solutions import exercises_given_up
from exercises.queries.withheld import touched_gradings, withheld_from

ROWS_AT_LEAST = 3


@for_members
@require_GET
def lesson(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    student = member(request)
    found = lesson_for(student, course, lesson)
    items = _embedded(student, found)
    drafts = {row.exercise_id: row for row in Draft.objects.filter(student=student, exercise__embeddings__lesson=found)}
    used = attempts_used(student, [item.exercise for item in items])
    met = [Encounter(student, item.exercise, attempts=used.get(item.exercise.pk, {})) for item in items]
    embedded = {
        item.exercise.slug: _exercise_html(request, item, here, drafts.get(item.exercise.pk))
        for item, here in zip(items, met, strict=True)
    }
    previous, following = _neighbours(found)
    context = {
        "course": found.course,
        "lesson": found,
        "sections": sections(found.html),
        "content": with_parts(found.html, actions=_actions(request, found), exercises=embedded),
        "rows": exercise_rows(found.course, items),
        "previous": previous,
        "next": following,
        "ask": form_about_lesson(student, found),
    }
    return render(request, "exercises/lesson.html", context)


@for_members
@require_POST
def run_snippet(request: HttpRequest, course: str, lesson: str) -> HttpResponse:
    found = lesson_for(member(request), course, lesson)
    snippet = sent_number(request, "snippet")
    try:
        run = services.start_run(
            member(request), RunKind.SNIPPET, source=sent_source(request), lesson=found, snippet=snippet
        )
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:lesson", args=(course, lesson)))
    if not is_fragment(request):
        return redirect("learn:run", run.pk)
    return render(request, "exercises/_run_panel.html", {"panel": run_panel(run)})


def _embedded(student: User, lesson: Lesson) -> list[ExerciseProgress]:
    """The lesson's exercises in their order, with the student's best."""
    shown = Exercise.objects.filter(embeddings__lesson=lesson, is_retired=False, published__isnull=False)
    exercises = list(shown.select_related("published", "course").order_by("embeddings__position"))
    withheld = withheld_from(student)
    gradings = touched_gradings(student, withheld, waiting=True)
    scores = BestScore.objects.filter(exercise__in=exercises)
    best = shown_best_scores(student, scores, withheld=withheld, gradings=gradings)
    waiting, given_up = exercises_under_review(withheld, gradings), exercises_given_up(student)
    return [
        ExerciseProgress(
            exercise=exercise,
            best=best.get(exercise.pk),
            is_waiting=exercise.pk in waiting,
            is_given_up=exercise.pk in given_up,
        )
        for exercise in exercises
    ]


def _exercise_html(request: HttpRequest, item: ExerciseProgress, met: Encounter, draft: Draft | None) -> str:
    page = with_draft(exercise_page(met, best=item.best), draft)
    return render_to_string("exercises/_embedded.html", {"page": page}, request)


def _actions(request: HttpRequest, lesson: Lesson) -> dict[int, str]:
    url = reverse("learn:run-snippet", args=(lesson.course.slug, lesson.slug))
    return {
        number: render_to_string("exercises/_snippet_actions.html", _snippet(number, snippet, url), request)
        for number, snippet in enumerate(lesson.snippets)
    }


def _snippet(number: int, snippet: dict[str, Any], url: str) -> dict[str, Any]:
    source = snippet["source"]
    return {
        "number": number,
        "human": number + 1,
        "source": source,
        "rows": max(source.count("\n") + 1, ROWS_AT_LEAST),
        "url": url,
    }


def _neighbours(lesson: Lesson) -> tuple[Lesson | None, Lesson | None]:
    others = lesson.course.lessons.filter(is_retired=False).defer("source", "html", "search_text", "snippets")
    found = list(others.order_by("position"))
    before = [other for other in found if other.position < lesson.position]
    after = [other for other in found if other.position > lesson.position]
    return before[-1] if before else None, after[0] if after else None
