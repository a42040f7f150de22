"""One or several options out of a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from graders import feedback
from graders.errors import DefinitionError, ResponseError
from graders.formats import number
from graders.outcomes import Outcome
from graders.questions.responses import flag_field, list_field, opaque_id, permuted, text_field
from graders.scoring import outcome_of_share


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    text: str
    correct: bool
    feedback: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceQuestion:
    """`multiple`: all correct options must be chosen, and no other. Texts of options differ from each other."""

    options: tuple[Option, ...]
    multiple: bool = False
    shuffle: bool = True
    partial_credit: bool = False


def from_definition(exercise: Mapping[str, Any]) -> ChoiceQuestion:
    """The question that exercise.yaml declares.

    Raises:
        DefinitionError: a field has a wrong type, or the key cannot be: no correct option, or several without
            `multiple`, or options with equal texts.
    """
    options = tuple(
        Option(
            text=text_field(item, "text", at=f"options[{place}]."),
            correct=flag_field(item, "correct", at=f"options[{place}]."),
            feedback=text_field(item, "feedback", at=f"options[{place}]."),
        )
        for place, item in enumerate(list_field(exercise, "options"))
    )
    question = ChoiceQuestion(
        options=options,
        multiple=flag_field(exercise, "multiple"),
        shuffle=flag_field(exercise, "shuffle", default=True),
        partial_credit=flag_field(exercise, "partial_credit"),
    )
    _check(question)
    return question


def presented(question: ChoiceQuestion, seed: str) -> list[tuple[str, str]]:
    """`(id, text)` of each option as the student of this seed sees them."""
    texts = [option.text for option in question.options]
    ordered = permuted(seed, texts) if question.shuffle else texts
    return [(opaque_id(seed, "option", text), text) for text in ordered]


def form(question: ChoiceQuestion, seed: str) -> dict[str, Any]:
    """What a form needs to show the question, as JSON; nothing of the key."""
    options = [{"id": name, "text": text} for name, text in presented(question, seed)]
    return {"options": options, "multiple": question.multiple}


def response_schema(question: ChoiceQuestion, seed: str) -> dict[str, Any]:
    """The JSON schema of a response."""
    one = {"type": "string", "enum": [name for name, _ in presented(question, seed)]}
    if not question.multiple:
        return one
    return {"type": "array", "items": one, "minItems": 1, "uniqueItems": True}


def grade(question: ChoiceQuestion, response: object, seed: str) -> Outcome:
    """The outcome of a response: an option's id, or a list of ids where several may be chosen.

    Partial credit is (right − wrong choices) / correct options, at least 0.

    Raises:
        ResponseError: it is neither, or names no option.
    """
    chosen = _chosen(question, response, seed)
    correct = sum(option.correct for option in question.options)
    right = sum(option.correct for option in chosen)
    wrong = len(chosen) - right
    share = Fraction(right == correct and not wrong)
    if question.partial_credit:
        share = max(Fraction(0), Fraction(right - wrong, correct))
    said = [option.feedback for option in chosen if option.feedback]
    return outcome_of_share(share, feedback.of_choice(right, wrong, missing=correct - right, said=said))


def right_response(question: ChoiceQuestion, seed: str) -> object:
    """What the key says, as a response of the student with this seed."""
    names = [opaque_id(seed, "option", option.text) for option in question.options if option.correct]
    return names if question.multiple else names[0]


def _chosen(question: ChoiceQuestion, response: object, seed: str) -> Sequence[Option]:
    names = [response] if isinstance(response, str) and not question.multiple else response
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ResponseError(f"expected {'a list of ids' if question.multiple else 'the id'} of options")
    if not names or len(set(names)) < len(names) or (len(names) > 1 and not question.multiple):
        raise ResponseError(f"expected {'one or more different ids' if question.multiple else 'one id'} of options")
    options = {opaque_id(seed, "option", option.text): option for option in question.options}
    unknown = [name for name in names if name not in options]
    if unknown:
        raise ResponseError(f"there is no option with the id {number(unknown[0])}")
    return [options[name] for name in names]


def _check(question: ChoiceQuestion) -> None:
    texts = [option.text for option in question.options]
    correct = sum(option.correct for option in question.options)
    if len(texts) < 2 or not all(text.strip() for text in texts):
        raise DefinitionError("options", "expected at least two options, each with a text")
    if len(set(texts)) < len(texts):
        raise DefinitionError("options", "two options have the same text")
    if correct == 0:
        raise DefinitionError("options", "no option is correct")
    if correct > 1 and not question.multiple:
        raise DefinitionError("options", f"{correct} options are correct, which needs `multiple: true`")
