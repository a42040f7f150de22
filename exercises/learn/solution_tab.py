"""The tab with the solution: what opens it, and what it holds once it was opened."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from exercises.content.markdown import render_markdown
from exercises.content.rendering import python_html
from exercises.learn.answered import response_parts
from exercises.learn.lesson_page import reachable
from exercises.learn.moments import Moment, moment_of
from exercises.models import Exercise, User
from exercises.queries import SolutionAccess, asked_question, response_form
from exercises.services import Solution
from exercises.services.solutions import solution_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionTab:
    """`parts` and `explanation` are there only once the student has opened it; `withheld` says why they cannot."""

    is_open: bool
    may_give_up: bool
    is_shown: bool
    withheld: str
    opens: Moment | None
    answer_title: str
    parts: list[SafeString | str]
    explanation: SafeString
    url: str
    give_up_url: str


def solution_tab(student: User, exercise: Exercise, access: SolutionAccess) -> SolutionTab:
    """The tab for one student; nothing of the solution is in it before they have opened it."""
    where = (exercise.course.slug, exercise.slug)
    is_shown = access.is_open and access.was_viewed
    solution = solution_of(student, exercise) if is_shown else Solution(explanation="")
    return SolutionTab(
        is_open=access.is_open,
        may_give_up=access.may_give_up,
        is_shown=is_shown,
        withheld="" if access.is_open or access.may_give_up else _withheld_word(access),
        opens=moment_of(access.opens_at, ZoneInfo(exercise.course.time_zone)),
        answer_title=_("The author's code") if solution.reference else _("One right answer"),
        parts=_parts(student, exercise, solution),
        explanation=_prose(solution.explanation),
        url=reverse("learn:solution", args=where),
        give_up_url=reverse("learn:give-up", args=where),
    )


def _withheld_word(access: SolutionAccess) -> str:
    if access.withheld_by is None:
        return _("The solution is not shown yet.")
    if access.opens_at:
        return _("“%(title)s” shows solutions once it is closed:") % {"title": access.withheld_by.title}
    return _("“%(title)s” does not show solutions yet.") % {"title": access.withheld_by.title}


def _parts(student: User, exercise: Exercise, solution: Solution) -> list[SafeString | str]:
    if solution.reference:
        # Highlighting escapes the text; its spans carry classes alone.
        code = mark_safe(python_html(solution.reference))  # noqa: S308
        return [format_html('<pre class="code" tabindex="0"><code class="language-python">{}</code></pre>', code)]
    if solution.model_answer:
        return [_prose(solution.model_answer)]
    if solution.response is None:
        return []
    return response_parts(asked_question(student, exercise), response_form(student, exercise), solution.response)


def _prose(text: str) -> SafeString:
    return reachable(render_markdown(text)) if text else SafeString()
