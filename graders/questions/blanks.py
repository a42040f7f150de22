"""A text or code with gaps, each of which is a number or a short text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from graders import feedback
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Outcome
from graders.questions import numeric, text
from graders.questions.numbers import read_number
from graders.questions.numeric import NumericQuestion
from graders.questions.responses import text_field
from graders.questions.text import TextQuestion
from graders.scoring import outcome_of_share

_GAP: Final = re.compile(r"\{\{\s*([A-Za-z_]\w*)\s*\}\}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlanksQuestion:
    """`template` with `{{name}}` where a gap is; `blanks` in the order of the gaps."""

    template: str
    blanks: Mapping[str, NumericQuestion | TextQuestion]


def from_definition(exercise: Mapping[str, Any]) -> BlanksQuestion:
    """The question that exercise.yaml declares.

    Raises:
        DefinitionError: a gap has no key, a key no gap, or a gap stands twice; or a field of a gap cannot be used.
    """
    template = text_field(exercise, "template")
    gaps = _GAP.findall(template)
    blanks = exercise.get("blanks") or {}
    if not gaps:
        raise DefinitionError("template", "expected at least one gap, such as {{answer}}")
    if len(set(gaps)) < len(gaps):
        raise DefinitionError("template", "a gap stands twice: give each its own name")
    if not isinstance(blanks, Mapping) or set(blanks) != set(gaps):
        raise DefinitionError("blanks", f"expected the gaps of the template: {', '.join(gaps)}")
    return BlanksQuestion(template=template, blanks={gap: _blank(blanks[gap], gap) for gap in gaps})


def form(question: BlanksQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: the template in pieces, as `{"text"}` and `{"gap"}`."""
    parts = _GAP.split(question.template)
    pieces = [{"gap" if place % 2 else "text": part} for place, part in enumerate(parts) if part]
    return {"pieces": pieces, "gaps": list(question.blanks)}


def response_schema(question: BlanksQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response."""
    parts = {
        gap: numeric.response_schema(blank, seed)
        if isinstance(blank, NumericQuestion)
        else text.response_schema(blank, seed)
        for gap, blank in question.blanks.items()
    }
    return {"type": "object", "properties": parts, "required": list(parts), "additionalProperties": False}


def grade(question: BlanksQuestion, response: object, seed: str = "") -> Outcome:
    """The outcome of what stands in each gap; each right gap counts the same.

    Raises:
        ResponseError: a gap is missing, unknown, empty, or holds no number where one is asked for.
    """
    if not isinstance(response, Mapping) or set(response) != set(question.blanks):
        raise ResponseError(f"expected an entry for each gap: {', '.join(question.blanks)}")
    remarks = {gap: _remark(blank, response[gap], gap) for gap, blank in question.blanks.items()}
    wrong = {gap: remark for gap, remark in remarks.items() if remark is not None}
    share = Fraction(len(remarks) - len(wrong), len(remarks))
    return outcome_of_share(share, feedback.of_blanks(wrong, total=len(remarks)))


def right_response(question: BlanksQuestion, seed: str = "") -> object:
    """What the key says for each gap; None where one of them has patterns only."""
    entries = {
        gap: numeric.right_response(blank) if isinstance(blank, NumericQuestion) else text.right_response(blank)
        for gap, blank in question.blanks.items()
    }
    return None if None in entries.values() else entries


def _remark(blank: NumericQuestion | TextQuestion, entry: object, gap: str) -> str | None:
    """None for a right entry; what the author says to a wrong one, or ""."""
    try:
        if isinstance(blank, NumericQuestion):
            number = read_number(entry)
            return None if numeric.is_right(blank, number) else numeric.remark(blank, number)
        words = text.read_text(entry)
        return None if text.is_right(blank, words) else text.remark(blank, words)
    except ResponseError as error:
        raise ResponseError(f"gap {gap}: {error}") from error


def _blank(fields: object, gap: str) -> NumericQuestion | TextQuestion:
    if not isinstance(fields, Mapping) or ("answer" in fields) == ("accept" in fields):
        raise DefinitionError(f"blanks.{gap}", "expected either answer (a number) or accept (texts)")
    module = numeric if "answer" in fields else text
    blank: NumericQuestion | TextQuestion = module.from_definition(fields, at=f"blanks.{gap}.")
    return blank
