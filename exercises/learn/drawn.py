"""A question as one student is asked it, for a page: also where their numbers give none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from exercises.content.markdown import render_markdown
from exercises.errors import QuestionNotDrawnError
from exercises.learn.lesson_page import reachable
from exercises.learn.questions import QuestionForm, question_form
from exercises.models import Exercise, User
from exercises.queries import asked_question, response_form


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnQuestion:
    """Prompt and form; or the `fault`, a sentence that stands in their place."""

    prompt: SafeString = SafeString()
    form: QuestionForm | None = None
    fault: str = ""


def drawn_question(student: User, exercise: Exercise, response: Any = None) -> DrawnQuestion:
    """The student's own question, with a response in its form if there is one."""
    try:
        asked, form = asked_question(student, exercise), response_form(student, exercise)
    except QuestionNotDrawnError as error:
        return DrawnQuestion(fault=str(error))
    prompt = reachable(render_markdown(asked["prompt"])) if asked["prompt"] else SafeString()
    return DrawnQuestion(prompt=prompt, form=question_form(asked, form, response))
