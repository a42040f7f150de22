"""What was answered, in words: a response beside the question as this student was asked it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from exercises.choices import Kind
from exercises.content.gaps import cut_at_gaps
from exercises.content.markdown import render_markdown
from exercises.learn.lesson_page import reachable
from exercises.learn.prose import student_text
from exercises.learn.questions import inline, line_html
from exercises.literals import literal_of
from exercises.models import Submission
from graders.questions.kinds import form_of
from graders.questions.parameters import filled

STEP = "    "


def answers_of(submission: Submission) -> list[SafeString | str]:
    """The parts of a response, ready for a page; none of code."""
    if submission.response is None or submission.version.is_code:
        return []
    asked = filled(submission.version.definition["exercise"], submission.seed)
    return response_parts(asked, form_of(asked, submission.seed), submission.response)


def response_parts(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    """The parts of a response to the question as it was `asked`, with the `form` that it was given in."""
    return _SAYERS.get(Kind(asked["kind"]), _plain)(asked, form, response)


def asked_prompt(submission: Submission) -> SafeString:
    """The prompt as this student had it, with their numbers."""
    prompt = filled(submission.version.definition["exercise"], submission.seed)["prompt"]
    return reachable(render_markdown(prompt))


def _plain(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    return [str(response)]


def _choice(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    texts = {option["id"]: SafeString(render_markdown(option["text"])) for option in form["options"]}
    return [texts[name] for name in (response if isinstance(response, list) else [response])]


def _tensor(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    return [_code(literal_of(response))]


def _blanks(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    cut = [*cut_at_gaps(asked["template"]), ""]
    pairs = zip(cut[::2], cut[1::2], strict=True)
    pieces = ((reachable(html), _filling(gap, response)) for html, gap in pairs)
    return [format_html_join("", "{}{}", pieces)]


def _filling(gap: str, response: Any) -> SafeString | str:
    return format_html('<mark class="filled">{}</mark>', response[gap]) if gap else ""


def _ordering(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    texts = {line["id"]: line["text"] for line in form["lines"]}
    entries = [(item, 0) if isinstance(item, str) else (item[0], item[1]) for item in response]
    if form["indent"]:
        return [_code("\n".join(STEP * depth + texts[name] for name, depth in entries))]
    items = format_html_join("", "<li>{}</li>", ((line_html(texts[name], is_code=False),) for name, _ in entries))
    return [format_html("<ol>{}</ol>", items)]


def _matching(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    right = {item["id"]: inline(item["text"]) for item in form["right"]}
    rows = ((inline(item["text"]), right[response[item["id"]]]) for item in form["left"])
    return [format_html('<dl class="matched">{}</dl>', format_html_join("", "<dt>{}</dt><dd>{}</dd>", rows))]


def _explain(asked: Mapping[str, Any], form: Mapping[str, Any], response: Any) -> list[SafeString | str]:
    return [student_text(response)]


def _code(text: str) -> SafeString:
    return format_html('<pre class="code" tabindex="0"><code>{}</code></pre>', text)


_SAYERS: dict[Kind, Callable[[Mapping[str, Any], Mapping[str, Any], Any], list[SafeString | str]]] = {
    Kind.CHOICE: _choice,
    Kind.TENSOR: _tensor,
    Kind.BLANKS: _blanks,
    Kind.ORDERING: _ordering,
    Kind.MATCHING: _matching,
    Kind.EXPLAIN: _explain,
}
