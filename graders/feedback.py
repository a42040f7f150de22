"""Values into words; the only place where wording is made.

One sentence says what was seen, one where to look; never the solution. Of a hidden case nothing is said but the stage.
"""

from __future__ import annotations

import builtins
import cmath
from fractions import Fraction
from typing import Final

from graders.cases import Failure, Mistake, Raised
from graders.details import details_of
from graders.formats import SHOWN_TEXT, cleaned, count, float_text, index, number
from graders.mismatches import Description, Mismatch, Number, Pair
from graders.outcomes import CaseOutcome, Feedback, Stage, Verdict

MESSAGE_CHARACTERS: Final = 2000
TRACEBACK_CHARACTERS: Final = 8000
_FEW: Final = 10
_BUILTIN_EXCEPTIONS: Final = frozenset(
    name for name, kind in vars(builtins).items() if isinstance(kind, type) and issubclass(kind, BaseException)
)

_HIDDEN: Final = {
    Stage.STRUCTURE: "In a hidden case, what is returned is not built as the exercise asks.",
    Stage.SHAPE: "In a hidden case, the shape is not the expected one.",
    Stage.DTYPE: "In a hidden case, the dtype is not the expected one.",
    Stage.NAN: "In a hidden case, NaN or infinite values appear where they should not, or are missing.",
    Stage.VALUES: "In a hidden case, the values are not the expected ones.",
    Stage.EXCEPTION: "In a hidden case, the code raised an exception",
}
_HINTS: Final = {
    Stage.STRUCTURE: "Look at what each `return` gives back, and at what the exercise asks for.",
    Stage.SHAPE: "Follow the shape from step to step: where does it part from what you expect?",
    Stage.DTYPE: "Where does the other dtype come in: a constant, a conversion, an input?",
    Stage.NAN: "Look for a division by zero, a logarithm of zero, or an exponential of something large.",
    Stage.EXCEPTION: "Start at the last line named, and look at the shapes and types that reach it.",
}
_NO_VARIABLE: Final = "no variable named"
_VARIABLE_HINT: Final = "The exercise names the variables that it looks for: does the script set each of them?"
_SYNTAX_HINT: Final = "Look at this line and the one before it: is a bracket, a colon or an indentation missing?"
_NAME_HINT: Final = "Is the name spelled as where it is imported or gets its value, and has that line run by then?"
_EXCEPTION_HINTS: Final = {
    "SyntaxError": _SYNTAX_HINT,
    "IndentationError": _SYNTAX_HINT,
    "TabError": _SYNTAX_HINT,
    "NameError": _NAME_HINT,
    "UnboundLocalError": _NAME_HINT,
    "NotImplementedError": "Your own code goes in the place of the line that raises this.",
    "PermissionError": "The code asks for something that nothing handed in may do, such as starting a program.",
}
_HIDDEN_HINT: Final = "Hidden cases keep to what the exercise describes: which inputs does it allow that are not shown?"


def of_mismatch(mismatch: Mismatch | None, *, visible: bool) -> Feedback:
    """What a comparison found, in words; with `details` to draw from where the case is visible."""
    if mismatch is None:
        return Feedback(summary="Agrees with what was expected.")
    if not visible:
        return Feedback(stage=mismatch.stage, summary=_HIDDEN[mismatch.stage], hint=_HIDDEN_HINT)
    summary = _SEEN[mismatch.stage](mismatch)
    if mismatch.path:
        summary = f"At `{mismatch.path}`: {summary}"
    if mismatch.others:
        summary += f" The same stage fails at {count(len(mismatch.others), 'further place')}."
    return Feedback(stage=mismatch.stage, summary=summary, hint=_hint(mismatch), details=details_of(mismatch))


def of_exception(raised: Raised, *, visible: bool) -> Feedback:
    """An exception in words; of a hidden case only a built-in type: name and text are the solution's to choose."""
    if not visible:
        named = f": {raised.type}." if raised.type in _BUILTIN_EXCEPTIONS else "."
        return Feedback(stage=Stage.EXCEPTION, summary=_HIDDEN[Stage.EXCEPTION] + named, hint=_HIDDEN_HINT)
    message = cleaned(raised.message, MESSAGE_CHARACTERS)
    place = f" (line {raised.line})" if raised.line else ""
    details = {
        "type": cleaned(raised.type, SHOWN_TEXT),
        "message": message,
        "line": raised.line,
        "traceback": cleaned(raised.traceback, TRACEBACK_CHARACTERS),
    }
    summary = f"{details['type']}{': ' if message else ''}{message}{place}"
    hint = _EXCEPTION_HINTS.get(raised.type, _HINTS[Stage.EXCEPTION])
    return Feedback(stage=Stage.EXCEPTION, summary=summary, hint=hint, details=details)


def of_failure(failure: Failure) -> Feedback:
    """What ended the run before there was a result."""
    if failure.error is not None:
        return of_exception(failure.error, visible=True)
    stages = {Verdict.RUNTIME_ERROR: Stage.EXCEPTION, Verdict.INVALID_OUTPUT: Stage.STRUCTURE}
    detail = cleaned(failure.detail, MESSAGE_CHARACTERS) or "The run ended without a result."
    return Feedback(stage=stages.get(failure.verdict, Stage.LIMIT), summary=detail)


def of_not_reached(stopped: Feedback) -> Feedback:
    """For a case behind the one at which the run ended."""
    return Feedback(stage=stopped.stage, summary="Not reached: the run had ended before.")


def of_submission(cases: tuple[CaseOutcome, ...], deciding: CaseOutcome | None) -> Feedback:
    """The whole in words: what the deciding case says, and which one it is."""
    if deciding is None:
        return Feedback(summary=f"{count(len(cases), 'case')}, all as expected.")
    accepted = sum(case.verdict == Verdict.ACCEPTED for case in cases)
    found = deciding.feedback
    details = {"case": deciding.name, "accepted": accepted, "cases": len(cases)}
    return Feedback(stage=found.stage, summary=found.summary, hint=found.hint, cause=found.cause, details=details)


def with_mistake(found: Feedback, mistake: Mistake) -> Feedback:
    """The same feedback, with the author's explanation of the listed mistake in place of the general hint."""
    return Feedback(
        stage=found.stage,
        summary=found.summary,
        hint=mistake.feedback or mistake.title,
        cause=mistake.slug,
        details=found.details,
    )


def of_right_response(said: str = "") -> Feedback:
    """For a right response to a question; `said` is the author's word on it."""
    return Feedback(summary=said or "That is right.")


def of_choice(right: int, wrong: int, *, missing: int, said: list[str]) -> Feedback:
    """For chosen options: how many are right, and what the author says to those chosen."""
    words = "\n\n".join(said)
    if not wrong and not missing:
        return of_right_response(words)
    if right + wrong == 1 and not right:
        return Feedback(stage=Stage.RESPONSE, summary=words or "This option does not hold.")
    parts = []
    if wrong:
        parts.append("Not everything that is chosen holds.")
    if missing:
        parts.append("Something that holds is not chosen.")
    return Feedback(stage=Stage.RESPONSE, summary=" ".join(parts), hint=words)


def of_wrong_number(value: Fraction, said: str) -> Feedback:
    """For a number that is not the answer; `said` is the author's word on this very number."""
    summary = f"{float_text(value)} is not the number asked for."
    return Feedback(stage=Stage.RESPONSE, summary=summary, hint=said or "Work it out once more, step by step.")


def of_wrong_text(said: str) -> Feedback:
    """For a text that is not accepted; `said` is the author's word on it."""
    return Feedback(stage=Stage.RESPONSE, summary="This is not what is asked for.", hint=said)


def of_typed_tensor(mismatch: Mismatch | None) -> Feedback:
    """For a tensor typed by hand: which stage differs and where, and not what should stand there."""
    if mismatch is None:
        return of_right_response()
    if mismatch.stage == Stage.SHAPE:
        seen = index(mismatch.actual.shape or ())
        return Feedback(stage=Stage.SHAPE, summary=f"The shape {seen} is not the expected one.")
    first = mismatch.pairs[0].index
    where = f", the first at {index(first)}" if first else ""
    return Feedback(
        stage=Stage.VALUES,
        summary=f"The shape is right; {mismatch.wrong} of {count(mismatch.total, 'value')} "
        f"{'is' if mismatch.wrong == 1 else 'are'} not{where}.",
        details={"wrong": mismatch.wrong, "total": mismatch.total, "first": list(first)},
    )


def of_blanks(wrong: dict[str, str], *, total: int) -> Feedback:
    """For filled gaps: which ones are wrong (by name, with the author's word on each), and which are right."""
    if not wrong:
        return of_right_response()
    named = ", ".join(f"`{gap}`" for gap in wrong)
    said = {words: [gap for gap in wrong if wrong[gap] == words] for words in wrong.values() if words}
    # Where several are wrong, the author's words alone would not tell which of them they are about.
    about = {words: ", ".join(f"`{gap}`" for gap in gaps) for words, gaps in said.items()}
    words = "\n\n".join(said if len(wrong) == 1 else (f"{about[words]}: {words}" for words in said))
    summary = f"{total - len(wrong)} of {count(total, 'gap')} {'is' if total - len(wrong) == 1 else 'are'} right. "
    return Feedback(
        stage=Stage.RESPONSE, summary=f"{summary}Look again at {named}.", hint=words, details={"wrong": list(wrong)}
    )


def of_ordering(in_place: int, *, superfluous: bool, too_few: bool, only_indent: bool) -> Feedback:
    """For lines in another order: how many at the start are right, and what kind of thing comes next."""
    starts = {0: "The first line is not in place.", 1: "The first line is in place."}
    start = starts.get(in_place, f"The first {in_place} lines are in place.")
    hints = {
        "A line is used that does not belong.": superfluous,
        "A line is missing.": too_few,
        "The next line is the right one, at another indentation.": only_indent,
    }
    hint = " ".join(words for words, holds in hints.items() if holds)
    return Feedback(stage=Stage.RESPONSE, summary=start, hint=hint)


def of_matching(correct: int, *, total: int) -> Feedback:
    """For pairs: how many are right."""
    if correct == total:
        return of_right_response()
    return Feedback(
        stage=Stage.RESPONSE, summary=f"{correct} of {count(total, 'pair')} {'is' if correct == 1 else 'are'} right."
    )


def of_review(comment: str, *, self_assessed: bool) -> Feedback:
    """For an explanation that was judged along a rubric."""
    by = "Assessed by its author." if self_assessed else "Assessed by the staff of this course."
    return Feedback(summary=by, hint=comment, details={"self_assessed": self_assessed})


def _structure(mismatch: Mismatch) -> str:
    expected, actual = mismatch.expected, mismatch.actual
    if expected.names and actual.noun == expected.noun:
        return f"A dictionary with the names {', '.join(expected.names)} was expected; the names returned are others."
    # The names in a returned dictionary may be of any length and hold anything: they are not repeated.
    returned = count(len(actual.names), "value")
    seen = f"{actual.noun} of {returned}" if actual.names else _phrase(actual)
    if seen.startswith(_NO_VARIABLE):
        return f"{_capital(_phrase(expected))} was expected; the script leaves {seen}."
    return f"{_capital(_phrase(expected))} was expected; {seen} was returned."


def _shape(mismatch: Mismatch) -> str:
    expected, actual = mismatch.expected.shape or (), mismatch.actual.shape or ()
    seen = index(actual) if actual else "[] (a single number)"
    return f"The shape {index(expected)} was expected; the shape {seen} was returned."


def _dtype(mismatch: Mismatch) -> str:
    others = [name for name in mismatch.allowed if name != mismatch.expected.dtype]
    taken = f" (or {', '.join(others)})" if others else ""
    return f"The dtype {mismatch.expected.dtype}{taken} was expected; {mismatch.actual.dtype} was returned."


def _nan(mismatch: Mismatch) -> str:
    first = mismatch.pairs[0]
    if not first.index:
        return f"The result is {number(first.actual)}; it should be {number(first.expected)}."
    wrong = _share(mismatch)
    where = f"first at {index(first.index)}: {number(first.actual)} instead of {number(first.expected)}"
    return f"The shape is right; NaN or infinite values are not where they should be: {wrong}, {where}."


def _values(mismatch: Mismatch) -> str:
    worst = mismatch.worst
    assert worst is not None
    if not worst.index:
        return f"The result is {_instead(worst)}."
    largest = f"{index(worst.index)}: {_instead(worst)}"
    if mismatch.total == 1:
        return f"The shape is right; the value is not, at {largest}."
    if mismatch.wrong == 1:
        return f"The shape is right; one of {mismatch.total} values is not, at {largest}."
    return f"The shape is right; the values are not: {_share(mismatch)}, most at {largest}.{_only(mismatch)}"


_SEEN: Final = {
    Stage.STRUCTURE: _structure,
    Stage.SHAPE: _shape,
    Stage.DTYPE: _dtype,
    Stage.NAN: _nan,
    Stage.VALUES: _values,
}


def _instead(pair: Pair) -> str:
    actual, expected = number(pair.actual), number(pair.expected)
    if actual != expected or isinstance(pair.actual, str) or isinstance(pair.expected, str):
        return f"{actual} instead of {expected}"
    return f"{actual}, off by {number(abs(pair.actual - pair.expected))}"


def _share(mismatch: Mismatch) -> str:
    if mismatch.wrong == mismatch.total:
        return f"all {mismatch.total} differ"
    if mismatch.wrong < _FEW:
        return f"{mismatch.wrong} of {mismatch.total} differ"
    percent = 100 * mismatch.share_wrong
    return f"{min(percent, 99.9):.3g} % differ"


def _only(mismatch: Mismatch) -> str:
    """Where all wrong elements lie, if that is one row, one column or one slice."""
    places = [(axis, place) for axis, place in enumerate(mismatch.only) if place is not None]
    if not places or len(mismatch.only) < 2:
        return ""
    if len(mismatch.only) == 2 and len(places) == 1:
        axis, place = places[0]
        return f" Only {('row', 'column')[axis]} {place} differs."
    parts = (":" if place is None else str(place) for place in mismatch.only)
    return f" All of them lie in [{', '.join(parts)}]."


def _hint(mismatch: Mismatch) -> str:
    if mismatch.stage == Stage.VALUES:
        worst = mismatch.worst.index if mismatch.worst else ()
        return f"Work out the element at {index(worst)} by hand, step by step." if worst else ""
    if mismatch.stage == Stage.NAN and _is_finite(mismatch.pairs[0].actual):
        return "Some results must not be finite here: which inputs lead to them?"
    if mismatch.actual.noun == "None":
        return "Does every path through the function end in a `return` with a value?"
    if mismatch.actual.noun.startswith(_NO_VARIABLE):
        return _VARIABLE_HINT
    return _HINTS[mismatch.stage]


def _phrase(described: Description) -> str:
    if described.noun == "a tensor":
        return f"a dense tensor of shape {index(described.shape or ())} and dtype {described.dtype}"
    if described.noun == "a numpy array":
        return f"a numpy array of shape {index(described.shape or ())} and dtype {described.dtype}"
    if described.length is not None:
        return f"{described.noun} of {count(described.length, 'value')}"
    if described.names:
        return f"{described.noun} with the names {', '.join(described.names)}"
    return described.noun


def _is_finite(value: Number | str) -> bool:
    # An integer may be too large for a float.
    return isinstance(value, str | int) or cmath.isfinite(value)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
