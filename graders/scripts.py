"""A script as cases: one for each collected variable, and one for what it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from graders.arrays import Unsupported, Value
from graders.cases import Case, Given, Raised, Returned

PRINTED: Final = "printed text"
MISSING: Final = Unsupported(kind="nothing of this name")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRun:
    """What a run of a script left: the collected variables that exist, and what was printed; or how it raised."""

    variables: Mapping[str, Value]
    printed: str = ""
    raised: Raised | None = None


def script_cases(
    exercise: Mapping[str, Any], reference: ScriptRun, mistakes: Mapping[str, ScriptRun]
) -> tuple[Case, ...]:
    """The cases of a script exercise, all visible, in the order of `collect`; `mistakes` by slug."""
    names = _names(exercise)
    given = {slug: script_given(exercise, run) for slug, run in mistakes.items()}
    return tuple(
        Case(
            name=name,
            visible=True,
            index=place,
            expected=_value(reference, name),
            mistakes={slug: results[place] for slug, results in given.items()},
            compare_as_printed=name == PRINTED,
        )
        for place, name in enumerate(names)
    )


def script_given(exercise: Mapping[str, Any], run: ScriptRun) -> tuple[Given, ...]:
    """What a run gives for each case; a script that raised gives that exception for all of them."""
    return tuple(run.raised or Returned(value=_value(run, name)) for name in _names(exercise))


def _names(exercise: Mapping[str, Any]) -> list[str]:
    return [*(exercise.get("collect") or []), *([PRINTED] if exercise.get("stdout") else [])]


def _value(run: ScriptRun, name: str) -> Value:
    return run.printed if name == PRINTED else run.variables.get(name, MISSING)
