"""The kinds of question that are graded from a response alone, by their word in exercise.yaml."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from graders.errors import DefinitionError
from graders.outcomes import Outcome
from graders.questions import choice, numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionKind:
    """What can be done with a kind: read it, show it, describe its responses, grade one."""

    from_definition: Callable[[Mapping[str, Any]], Any]
    form: Callable[[Any, str], dict[str, Any]]
    response_schema: Callable[[Any, str], dict[str, Any]]
    grade: Callable[[Any, object, str], Outcome]


KINDS: Final[dict[str, QuestionKind]] = {
    name: QuestionKind(
        from_definition=module.from_definition,
        form=module.form,
        response_schema=module.response_schema,
        grade=module.grade,
    )
    for name, module in (("choice", choice), ("numeric", numeric))
}


def check_question(exercise: Mapping[str, Any]) -> None:
    """Returns if the question of exercise.yaml can be graded.

    Raises:
        DefinitionError: a field cannot be used.
    """
    kind_of(exercise).from_definition(exercise)


def grade_response(exercise: Mapping[str, Any], response: object, seed: str) -> Outcome:
    """The outcome of a response of the student with this seed.

    Raises:
        ResponseError: the response has the wrong form.
    """
    kind = kind_of(exercise)
    return kind.grade(kind.from_definition(exercise), response, seed)


def form_of(exercise: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """What the form of the student with this seed needs (options with their ids, …), as JSON; nothing of the key."""
    kind = kind_of(exercise)
    return kind.form(kind.from_definition(exercise), seed)


def response_schema_of(exercise: Mapping[str, Any], seed: str) -> dict[str, Any]:
    """The JSON schema of a response of the student with this seed."""
    kind = kind_of(exercise)
    return kind.response_schema(kind.from_definition(exercise), seed)


def kind_of(exercise: Mapping[str, Any]) -> QuestionKind:
    """The kind that exercise.yaml names.

    Raises:
        DefinitionError: it is none of those graded from a response.
    """
    name = exercise.get("kind")
    if not isinstance(name, str) or name not in KINDS:
        raise DefinitionError("kind", f"expected one of {', '.join(KINDS)}, found {name!r}")
    return KINDS[name]
