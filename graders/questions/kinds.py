"""The kinds of question that are answered by a response, by their word in exercise.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from graders.errors import DefinitionError, GraderError, ResponseError
from graders.outcomes import Outcome, Verdict
from graders.questions import blanks, choice, explain, matching, numeric, ordering, tensor, text
from graders.questions.parameters import drawn, edge_variants, filled, with_numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionKind:
    """What can be done with a kind: read it, show it, describe its responses, grade one.

    `grade` and `right_response` are None where a person judges; then `check_response` says whether a response can be
    judged.
    """

    from_definition: Callable[[Mapping[str, Any]], Any]
    form: Callable[[Any, str], dict[str, Any]]
    response_schema: Callable[[Any, str], dict[str, Any]]
    grade: Callable[[Any, object, str], Outcome] | None = None
    right_response: Callable[[Any, str], object] | None = None
    check_response: Callable[[Any, object, str], None] | None = None


KINDS: Final[dict[str, QuestionKind]] = {
    name: QuestionKind(
        from_definition=module.from_definition,
        form=module.form,
        response_schema=module.response_schema,
        grade=module.grade,
        right_response=module.right_response,
    )
    for name, module in (
        ("choice", choice),
        ("numeric", numeric),
        ("text", text),
        ("tensor", tensor),
        ("blanks", blanks),
        ("ordering", ordering),
        ("matching", matching),
    )
} | {
    "explain": QuestionKind(
        from_definition=explain.from_definition,
        form=explain.form,
        response_schema=explain.response_schema,
        check_response=explain.check_response,
    )
}
# With parameters a definition is checked for so many made-up students.
CHECKED_VARIANTS: Final = 50


def check_question(exercise: Mapping[str, Any]) -> None:
    """Returns if the question of exercise.yaml can be graded, in each of many variants where it has parameters.

    Those are of made-up students, and with numbers at which expressions break.

    Raises:
        DefinitionError: a field cannot be used, or what the key says is not accepted.
    """
    _check_variant(exercise, "variant 0")
    # What one variant passed and another does not is a matter of its numbers.
    if not exercise.get("parameters"):
        return
    for seed in (f"variant {number}" for number in range(1, CHECKED_VARIANTS)):
        _check_numbers(exercise, seed, drawn(exercise, seed))
    for numbers in edge_variants(exercise):
        _check_numbers(with_numbers(exercise, numbers), "variant 0", numbers)


def right_response_of(exercise: Mapping[str, Any], seed: str) -> object:
    """A response of the student with this seed that is right; None if none can be made (patterns, a person judges)."""
    right_response = kind_of(exercise).right_response
    return None if right_response is None else right_response(_question(exercise, seed), seed)


def prompt_of(exercise: Mapping[str, Any], seed: str) -> str:
    """The prompt for the student with this seed, in Markdown."""
    prompt = filled(exercise, seed).get("prompt")
    return prompt if isinstance(prompt, str) else ""


def awaits_review(exercise: Mapping[str, Any]) -> bool:
    """Whether a person judges the responses."""
    return kind_of(exercise).grade is None


def grade_response(exercise: Mapping[str, Any], response: object, seed: str) -> Outcome:
    """The outcome of a response of the student with this seed.

    Raises:
        ResponseError: the response has the wrong form.
        GraderError: a person judges this kind.
    """
    grade = kind_of(exercise).grade
    if grade is None:
        raise GraderError("a person judges the responses of this exercise")
    return grade(_question(exercise, seed), response, seed)


def check_response(exercise: Mapping[str, Any], response: object, seed: str) -> None:
    """Returns if the response has a form that can be judged.

    Raises:
        ResponseError: it has not.
    """
    kind = kind_of(exercise)
    check = kind.check_response or kind.grade
    assert check is not None
    check(_question(exercise, seed), response, seed)


def form_of(exercise: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """What the form of the student with this seed needs (options with their ids, …), as JSON; nothing of the key."""
    return kind_of(exercise).form(_question(exercise, seed), seed)


def response_schema_of(exercise: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """The JSON schema of a response of the student with this seed."""
    return kind_of(exercise).response_schema(_question(exercise, seed), seed)


def kind_of(exercise: Mapping[str, Any]) -> QuestionKind:
    """The kind that exercise.yaml names.

    Raises:
        DefinitionError: it is none of those answered by a response.
    """
    name = exercise.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise DefinitionError("kind", f"expected one of {', '.join(KINDS)}, found {name!r}")
    return KINDS[name]


def _question(exercise: Mapping[str, Any], seed: str) -> Any:
    return kind_of(exercise).from_definition(filled(exercise, seed))


def _check_numbers(exercise: Mapping[str, Any], seed: str, numbers: Mapping[str, Fraction]) -> None:
    try:
        _check_variant(exercise, seed)
    except DefinitionError as error:
        where = ", ".join(f"{name} = {number}" for name, number in numbers.items())
        raise DefinitionError(error.field, f"{error.message} (where {where})") from error


def _check_variant(exercise: Mapping[str, Any], seed: str) -> None:
    response = right_response_of(exercise, seed)
    if response is None:
        _question(exercise, seed)
        return
    try:
        outcome = grade_response(exercise, response, seed)
    except ResponseError as error:
        raise DefinitionError(_key_field(exercise), f"cannot be handed in: {error}") from error
    if outcome.verdict != Verdict.ACCEPTED:
        raise DefinitionError(_key_field(exercise), "is not accepted when it is handed in")


def _key_field(exercise: Mapping[str, Any]) -> str:
    return next((name for name in ("accept", "blanks") if name in exercise), "answer")
