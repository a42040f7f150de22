"""Unmet demands in words: what was seen, then where to look; of a hidden case only which kind of demand it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Final

from graders.demands import ChangedInput, RaisedGradient, Unmet, WrongGradient
from graders.details import details_of
from graders.feedback import of_exception, of_mismatch
from graders.formats import SHOWN_TEXT, cleaned, count
from graders.outcomes import Feedback, Stage, Verdict
from graders.rules import Breach

MUTATED_INPUT: Final = "mutated_input"
DETACHED: Final = "detached"
FORBIDDEN: Final = "forbidden"

_CHANGED_HINT: Final = (
    "Which line writes into the argument? Functions whose names end in `_`, operators such as `+=`, and assignments to "
    "elements do."
)
_CUT_HINT: Final = (
    "Where does the way from the argument to the result leave the graph? `detach`, `no_grad`, `item`, numpy arrays and "
    "new tensors made of numbers do that."
)
_PARTLY_CUT_HINT: Final = (
    "Does a part of the result come from the argument on a way that leaves the graph? `detach`, `no_grad`, `item`, "
    "numpy arrays and new tensors made of numbers do that."
)
_BROKEN_HINT: Final = "Which other way is there that the exercise leaves open?"
_SEEN: Final = {
    "names": "This exercise is to be solved without `{name}`, which is used here",
    "loops": "This exercise is to be solved without loops; here is one (`{name}`)",
    "operators": "This exercise is to be solved without the operator `{name}`, which a call comes down to",
}
_HIDDEN: Final = {
    Stage.RULES: "In a hidden case, the call changes one of its arguments.",
    Stage.GRADIENTS: "In a hidden case, the value is right and a gradient is not.",
}


def of_unmet(unmet: Unmet, *, visible: bool) -> Feedback:
    """A demand that a call with a right value does not meet."""
    if isinstance(unmet, ChangedInput):
        found = _changed(unmet)
    elif isinstance(unmet, WrongGradient):
        found = _wrong(unmet)
    else:
        found = _raised(unmet)
    if visible:
        return found
    stage = Stage.RULES if isinstance(unmet, ChangedInput) else Stage.GRADIENTS
    return Feedback(stage=stage, summary=_HIDDEN[stage], hint=found.hint, cause=found.cause)


def verdict_of_unmet(unmet: Unmet) -> Verdict:
    """`runtime_error` where the call for the gradients raised; else `wrong_answer`."""
    return Verdict.RUNTIME_ERROR if isinstance(unmet, RaisedGradient) else Verdict.WRONG_ANSWER


def of_breaches(breaches: Sequence[Breach]) -> Feedback:
    """For a submission that uses what the exercise rules out."""
    first = breaches[0]
    summary = f"{_SEEN[first.rule].format(name=_name(first.name))}{f' (line {first.line})' if first.line else ''}."
    if len(breaches) > 1:
        summary += f" There {'is' if len(breaches) == 2 else 'are'} {count(len(breaches) - 1, 'further use')}."
    details = {"breaches": [asdict(breach) for breach in breaches]}
    return Feedback(stage=Stage.RULES, summary=summary, hint=_BROKEN_HINT, cause=FORBIDDEN, details=details)


def _changed(unmet: ChangedInput) -> Feedback:
    seen = of_mismatch(unmet.mismatch, visible=True).summary
    return Feedback(
        stage=Stage.RULES,
        summary=f"The value is right, but the call changes its argument `{_name(unmet.name)}`. Afterwards: {seen}",
        hint=_CHANGED_HINT,
        cause=MUTATED_INPUT,
        details={**details_of(unmet.mismatch), "argument": unmet.name},
    )


def _wrong(unmet: WrongGradient) -> Feedback:
    start = f"The value is right, but the gradient for `{_name(unmet.name)}`"
    if unmet.mismatch is None:
        summary = f"{start} is cut: none flows back to it from the result."
        details = {"argument": unmet.name}
        return Feedback(stage=Stage.GRADIENTS, summary=summary, hint=_CUT_HINT, cause=DETACHED, details=details)
    # Where values are right and gradients are not, most likely a part of the way is missing on the way back.
    is_partly_cut = unmet.mismatch.stage == Stage.VALUES
    return Feedback(
        stage=Stage.GRADIENTS,
        summary=f"{start} is not right. {of_mismatch(unmet.mismatch, visible=True).summary}",
        hint=_PARTLY_CUT_HINT if is_partly_cut else "",
        cause=DETACHED if is_partly_cut else "",
        details={**details_of(unmet.mismatch), "argument": unmet.name},
    )


def _raised(unmet: RaisedGradient) -> Feedback:
    told = of_exception(unmet.raised, visible=True)
    summary = f"The value is right, but with arguments that require gradients the call raises {told.summary}"
    return replace(told, summary=summary, hint=_CUT_HINT)


def _name(name: str) -> str:
    return cleaned(name, SHOWN_TEXT)
