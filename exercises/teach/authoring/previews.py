"""A working copy as a student will see it, without anything being stored."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from exercises.choices import CODE_KINDS, Kind
from exercises.content import ContentError, ExerciseFolder, Problem
from exercises.content.markdown import ASSETS_URL, render_markdown
from exercises.learn.access import member
from exercises.learn.exercise_page import ExercisePage, VisibleCase, exercise_page, shown_cases
from exercises.learn.feedback import CaseView, FeedbackView, case_views, feedback_view
from exercises.learn.lesson_page import reachable
from exercises.learn.marks import Mark, verdict_mark
from exercises.learn.rows import score_text
from exercises.learn.shown import labels_of
from exercises.models import Exercise, ExerciseVersion, User
from exercises.queries import Encounter, read_working_copy
from exercises.queries.questions import response_seed
from graders.questions.kinds import check_response, grade_response


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a student's page of the working copy consists of."""

    exercise: Exercise
    page: ExercisePage
    cases: list[VisibleCase]
    hints: list[SafeString]
    explanation: SafeString


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What would have become of a response; `model_answer` where a person would judge it."""

    mark: Mark | None
    score: str
    feedback: FeedbackView | None
    cases: list[CaseView]
    model_answer: SafeString = SafeString()


def read_or_problems(exercise: Exercise, files: Any) -> tuple[ExerciseFolder | None, list[Problem]]:
    """The exercise that the files are, or what is wrong with them."""
    try:
        return read_working_copy(exercise, files), []
    except ContentError as error:
        return None, error.problems


def shown_to_student(author: User, exercise: Exercise, folder: ExerciseFolder) -> Shown:
    """The working copy on a student's page, whose forms lead to trials."""
    shown = _as_published(exercise, folder)
    met = Encounter(author, shown)
    where = (exercise.course.slug, exercise.slug)
    page = replace(
        exercise_page(met, best=None),
        submit_url=reverse("authoring:try-run" if folder.kind in CODE_KINDS else "authoring:try-answer", args=where),
        run_url=reverse("authoring:try-run", args=where),
        url=reverse("authoring:try", args=where),
        draft_url="",
        preview_url="",
        attempts="",
    )
    assert shown.published is not None
    content = folder.definition["exercise"]
    return Shown(
        exercise=shown,
        page=page,
        cases=shown_cases(shown.published, met.cases) if page.is_code else [],
        hints=[_prose(hint) for hint in content.get("hints", [])],
        explanation=_prose(content.get("explanation", "")),
    )


def preview_html(request: HttpRequest, exercise: Exercise, folder: ExerciseFolder) -> str:
    """The preview beside the editor."""
    shown = shown_to_student(member(request), exercise, folder)
    context = {"shown": shown, "page": shown.page, "course": exercise.course, "exercise": exercise}
    return with_assets(render_to_string("exercises/authoring/_preview.html", context, request), exercise)


def with_assets(html: str, exercise: Exercise) -> SafeString:
    """A rendered page whose pictures are found from any address."""
    place = reverse("learn:asset", args=(exercise.course.slug, "x")).removesuffix("x")
    return mark_safe(html.replace(f'src="{ASSETS_URL}', f'src="{place}'))  # noqa: S308  (a rendered template)


def try_response(author: User, exercise: Exercise, folder: ExerciseFolder, response: Any) -> Tried:
    """The judging of a response to the working copy. Raises: ResponseError where it has the wrong form."""
    question = folder.definition["exercise"]
    seed = response_seed(author, exercise)
    if folder.kind == Kind.EXPLAIN:
        check_response(question, response, seed)
        answer = _prose(question.get("model_answer", ""))
        return Tried(mark=None, score="", feedback=None, cases=[], model_answer=answer)
    outcome = grade_response(question, response, seed)
    told = outcome.to_json()
    feedback = feedback_view(told["feedback"], of_question=True)
    return Tried(
        mark=verdict_mark(outcome.verdict),
        score=score_text(outcome.score, outcome.max_score),
        feedback=feedback,
        cases=case_views(told["cases"], {}, labels=labels_of(folder.definition), told=feedback, of_question=True),
    )


def _as_published(exercise: Exercise, folder: ExerciseFolder) -> Exercise:
    """The exercise with the working copy in place of what is published; neither is ever stored."""
    shown = Exercise(pk=exercise.pk, course=exercise.course, slug=exercise.slug, position=exercise.position)
    number = 1 if exercise.published is None else exercise.published.number
    shown.published = ExerciseVersion(
        exercise=exercise,
        number=number,
        content_hash=folder.content_hash,
        grading_hash=folder.grading_hash,
        kind=folder.kind,
        title=folder.title,
        points=folder.points,
        definition=folder.definition,
    )
    return shown


def _prose(text: str) -> SafeString:
    return reachable(render_markdown(text)) if text else SafeString()
