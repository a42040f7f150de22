"""What is handed in to each exercise, with its outcome: texts of the course's own mistakes, answers graded for real."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Any

from exercises.blobs import pack
from exercises.choices import REVIEWED_KINDS
from exercises.models import Exercise, ExerciseVersion
from graders.outcomes import CaseOutcome, Feedback, Outcome, Stage, Verdict
from graders.questions import explain, kinds
from graders.questions.parameters import filled
from graders.questions.responses import opaque_id
from graders.scoring import outcome_of

RIGHT = "right"
MISHAPS = ("values", "shape", "error", "values", "time", "transposed")
"""What goes wrong without a listed mistake; by turns, so that the first is the most frequent."""
FALLBACK_CASES = (("an example", True), ("another example", True), ("larger", False), ("one row", False))
CASE_NAME = re.compile(r'"name": "([^"]{1,100})"')
EXPLANATION = "The scores spread with the length of the vectors, and then the softmax picks a single one."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Something handed in, and what came of it; `outcome` is None where a person has yet to judge it."""

    outcome: Outcome | None
    source: str = ""
    response: Any = None

    @property
    def blob(self) -> bytes | None:
        """Packed as a grading keeps it."""
        if self.outcome is None:
            return None
        return pack({**self.outcome.to_json(), "stdout": "", "evidence": "", "hidden_case": None})

    @property
    def body_hash(self) -> str:
        """As of a real hand-in."""
        return sha256(json.dumps([self.source, self.response], sort_keys=True).encode()).hexdigest()


def mistakes_of(version: ExerciseVersion) -> list[str]:
    """The mistakes that can be planted: slugs of code; wrong options of a choice by their texts."""
    exercise = version.definition["exercise"]
    if version.is_code:
        return list(exercise.get("mistakes") or {})
    return [option["text"] for option in exercise.get("options", ()) if not option.get("correct")]


def code_sheets(version: ExerciseVersion) -> dict[str, Sheet]:
    """A sheet for what is right, one for each listed mistake and one for each mishap."""
    files, exercise = version.definition["files"], version.definition["exercise"]
    reference = files.get("reference.py", "")
    cases = _cases(files.get("cases.py", ""))
    sheets = {RIGHT: Sheet(source=reference, outcome=_judged(cases, {}))}
    for slug, told in (exercise.get("mistakes") or {}).items():
        seen = Feedback(stage=Stage.VALUES, summary="The shape is right; the values are not.", hint=told["feedback"])
        wrong = _judged(cases, dict.fromkeys(range(1, len(cases)), (Verdict.WRONG_ANSWER, seen)), cause=slug)
        sheets[slug] = Sheet(source=files.get(f"mistakes/{slug}.py", reference), outcome=wrong)
    for mishap in dict.fromkeys(MISHAPS):
        sheets[mishap] = Sheet(source=reference, outcome=_mishap(cases, mishap))
    return sheets


def question_sheets(exercise: Exercise, seed: str, mistake: int | None) -> dict[str, Sheet]:
    """A right and a wrong answer of the student with this seed."""
    version = exercise.published
    assert version is not None
    asked = version.definition["exercise"]
    if version.kind in REVIEWED_KINDS:
        return _explanations(asked)
    right = kinds.right_response_of(asked, seed)
    wrong = _wrong(filled(asked, seed), right, seed, mistake)
    answers = {RIGHT: wrong if right is None else right, MISHAPS[0]: wrong}
    return {
        name: Sheet(response=answer, outcome=kinds.grade_response(asked, answer, seed))
        for name, answer in answers.items()
    }


def _cases(text: str) -> list[tuple[str, bool]]:
    visible, _, hidden = text.partition("def hidden")
    found = [(name, True) for name in CASE_NAME.findall(visible)] + [
        (name, False) for name in CASE_NAME.findall(hidden)
    ]
    return found or list(FALLBACK_CASES)


def _judged(
    cases: list[tuple[str, bool]], failed: Mapping[int, tuple[Verdict, Feedback]], *, cause: str = ""
) -> Outcome:
    """The outcome where the cases at these places failed; a listed mistake is named in all that are visible or last."""
    judged = []
    for place, (name, visible) in enumerate(cases):
        verdict, told = failed.get(place, (Verdict.ACCEPTED, Feedback()))
        if place in failed and cause:
            told = Feedback(stage=told.stage, summary=told.summary, hint=told.hint, cause=cause)
        points = Decimal(verdict == Verdict.ACCEPTED)
        judged.append(
            CaseOutcome(
                name=name, visible=visible, verdict=verdict, points=points, max_points=Decimal(1), feedback=told
            )
        )
    first = next((case.feedback for case in judged if case.verdict != Verdict.ACCEPTED), None)
    return outcome_of(judged, first or Feedback(summary="All cases are right."))


def _mishap(cases: list[tuple[str, bool]], mishap: str) -> Outcome:
    everywhere = range(len(cases))
    if mishap == "values":
        told = Feedback(stage=Stage.VALUES, summary="The shape is right; the values are not.")
        return _judged(cases, dict.fromkeys(everywhere[len(cases) // 2 :], (Verdict.WRONG_ANSWER, told)))
    if mishap == "shape":
        told = Feedback(stage=Stage.SHAPE, summary="The shape is (3, 2), expected (2, 3).")
        return _judged(cases, dict.fromkeys(everywhere, (Verdict.WRONG_ANSWER, told)))
    if mishap == "error":
        told = Feedback(stage=Stage.EXCEPTION, summary="RuntimeError: the sizes of the tensors must match.")
        return _judged(cases, dict.fromkeys(everywhere, (Verdict.RUNTIME_ERROR, told)))
    if mishap == "time":
        told = Feedback(stage=Stage.LIMIT, summary="Stopped after 4 s of computing.")
        return _judged(cases, dict.fromkeys(everywhere[1:], (Verdict.TIME_LIMIT, told)))
    told = Feedback(stage=Stage.VALUES, summary="The values are those that come out when two axes are swapped.")
    return _judged(cases, dict.fromkeys(everywhere, (Verdict.WRONG_ANSWER, told)), cause=mishap)


def _explanations(asked: Mapping[str, Any]) -> dict[str, Sheet]:
    question = explain.from_definition(asked)
    full = {criterion.name: criterion.points for criterion in question.rubric}
    half = {name: points / 2 for name, points in full.items()}
    judged = {RIGHT: full, MISHAPS[0]: half}
    sheets = {
        name: Sheet(response=EXPLANATION, outcome=explain.outcome_of_review(question, points))
        for name, points in judged.items()
    }
    return {**sheets, "waiting": Sheet(response=EXPLANATION, outcome=None)}


def _wrong(asked: Mapping[str, Any], right: Any, seed: str, mistake: int | None) -> Any:
    """An answer that is not right, in the form that the question asks for."""
    kind = asked["kind"]
    if kind == "choice":
        texts = [option["text"] for option in asked["options"] if not option.get("correct")]
        chosen = opaque_id(seed, "option", texts[(mistake or 0) % len(texts)])
        return [chosen] if asked.get("multiple") else chosen
    if kind == "numeric":
        return str(asked["feedback"][0]["answer"]) if asked.get("feedback") else "123456"
    if kind == "tensor":
        return _zeros(right)
    if kind == "blanks":
        return dict.fromkeys(right or asked["blanks"], "0")
    if kind == "ordering":
        return list(reversed(right))
    if kind == "matching":
        names = list(right.values())
        return dict(zip(right, [*names[1:], names[0]], strict=True))
    return "something else"


def _zeros(value: Any) -> Any:
    return [_zeros(item) for item in value] if isinstance(value, list) else 987
