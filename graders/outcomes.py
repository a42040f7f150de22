"""The frozen values that every grader returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """What is said of the work; `internal_error` is ours and never scored."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    INVALID_OUTPUT = "invalid_output"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    RESOURCE_LIMIT = "resource_limit"
    POLICY_VIOLATION = "policy_violation"
    INTERNAL_ERROR = "internal_error"


class Stage(StrEnum):
    """The check that failed. The first five are those of a comparison, in their order."""

    STRUCTURE = "structure"
    SHAPE = "shape"
    DTYPE = "dtype"
    NAN = "nan"
    VALUES = "values"
    RULES = "rules"
    GRADIENTS = "gradients"
    PROPERTIES = "properties"
    TRAINING = "training"
    EXCEPTION = "exception"
    LIMIT = "limit"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Why a case or a response got its verdict: what was seen, then where to look.

    `stage` is the check that failed, as a word of `Stage`; empty where nothing failed. `cause` is the slug of a listed
    mistake or of a diagnosis. `details` holds what a page may draw (shapes, worst index, errors, pairs), as JSON.
    """

    stage: str = ""
    summary: str = ""
    hint: str = ""
    cause: str = ""
    details: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOutcome:
    """The judging of one case; `feedback` of a hidden case holds no values."""

    name: str
    visible: bool
    verdict: Verdict
    points: Decimal
    max_points: Decimal
    feedback: Feedback


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Verdict, score and feedback of one response or submission.

    `hidden_case` is a hidden case that failed, as JSON, with all that is known of it. It is kept beside the rest, for
    those who may see it.
    """

    verdict: Verdict
    score: Decimal
    max_score: Decimal
    feedback: Feedback
    cases: tuple[CaseOutcome, ...] = ()
    hidden_case: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON: verdicts as words, points as numbers; without `hidden_case`."""
        plain: dict[str, Any] = _plain(asdict(replace(self, hidden_case=None)))
        del plain["hidden_case"]
        return plain


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, StrEnum):
        return value.value
    return value
