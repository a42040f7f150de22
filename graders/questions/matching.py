"""Pairs to be found: each left text belongs to one of the right texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graders import feedback
from graders.errors import DefinitionError, ResponseError
from graders.outcomes import Outcome
from graders.questions.responses import opaque_id, permuted, texts_field
from graders.scoring import outcome_of_share


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingQuestion:
    """`pairs` by left text; `right` holds every right text once, distractors included."""

    pairs: Mapping[str, str]
    right: tuple[str, ...]


def from_definition(exercise: Mapping[str, Any]) -> MatchingQuestion:
    """The question that exercise.yaml declares. Several left texts may belong to one right text.

    Raises:
        DefinitionError: there are fewer than two pairs, one is no pair of texts, a left text stands twice, or a
            distractor is also the right text of a pair.
    """
    pairs = exercise.get("pairs") or []
    if not isinstance(pairs, list) or len(pairs) < 2:
        raise DefinitionError("pairs", "expected at least two pairs")
    matched: dict[str, str] = {}
    for place, pair in enumerate(pairs):
        match pair:
            case [str() as left, str() as right] if left.strip() and right.strip() and left.strip() not in matched:
                matched[left.strip()] = right.strip()
            case _:
                raise DefinitionError(f"pairs[{place}]", "expected two texts, the left one different in each pair")
    distractors = [text.strip() for text in texts_field(exercise, "distractors")]
    both = sorted(set(distractors) & set(matched.values()))
    if both:
        raise DefinitionError("distractors", f"“{both[0]}” belongs to a pair")
    return MatchingQuestion(pairs=matched, right=tuple(dict.fromkeys([*matched.values(), *distractors])))


def presented(question: MatchingQuestion, seed: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """`(id, text)` of the left and of the right texts as the student of this seed sees them."""
    left = [(opaque_id(seed, "left", text), text) for text in permuted(seed, list(question.pairs))]
    right = [(opaque_id(seed, "right", text), text) for text in permuted(seed, question.right)]
    return left, right


def form(question: MatchingQuestion, seed: str) -> dict[str, Any]:
    """What a form needs: both sides in this student's order."""
    left, right = presented(question, seed)
    return {
        "left": [{"id": name, "text": text} for name, text in left],
        "right": [{"id": name, "text": text} for name, text in right],
    }


def response_schema(question: MatchingQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response: `{left id: right id}`."""
    left, right = presented(question, seed)
    one = {"type": "string", "enum": [name for name, _ in right]}
    names = [name for name, _ in left]
    return {
        "type": "object",
        "properties": dict.fromkeys(names, one),
        "required": names,
        "additionalProperties": False,
    }


def right_response(question: MatchingQuestion, seed: str) -> object:
    """The right id for each left one."""
    return {opaque_id(seed, "left", left): opaque_id(seed, "right", right) for left, right in question.pairs.items()}


def grade(question: MatchingQuestion, response: object, seed: str) -> Outcome:
    """The outcome of the pairs; each right one counts the same.

    Raises:
        ResponseError: a left id is missing or unknown, or a right id is unknown.
    """
    left, right = (dict(side) for side in presented(question, seed))
    if not isinstance(response, Mapping) or set(response) != set(left):
        raise ResponseError("expected an entry for each left id, and no other")
    for name in response.values():
        if not isinstance(name, str) or name not in right:
            raise ResponseError("expected a right id in each entry")
    correct = sum(question.pairs[left[name]] == right[response[name]] for name in left)
    total = len(question.pairs)
    return outcome_of_share(Fraction(correct, total), feedback.of_matching(correct, total=total))
