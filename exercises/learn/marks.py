"""How verdicts and states look: a word, an icon and a tone, never a colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from exercises.choices import State
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """`icon` is a name in the sprite; `tone` is good, warn, bad, ours, or empty for neutral."""

    word: str | Promise
    icon: str
    tone: str = ""


VERDICTS = {
    Verdict.ACCEPTED: Mark(word=_("Accepted"), icon="check", tone="good"),
    Verdict.WRONG_ANSWER: Mark(word=_("Not yet right"), icon="cross", tone="bad"),
    Verdict.INVALID_OUTPUT: Mark(word=_("Form differs"), icon="shape", tone="warn"),
    Verdict.RUNTIME_ERROR: Mark(word=_("Stopped by an error"), icon="warn", tone="warn"),
    Verdict.TIME_LIMIT: Mark(word=_("Time limit"), icon="clock", tone="warn"),
    Verdict.MEMORY_LIMIT: Mark(word=_("Memory limit"), icon="memory", tone="warn"),
    Verdict.OUTPUT_LIMIT: Mark(word=_("Output limit"), icon="stop", tone="warn"),
    Verdict.RESOURCE_LIMIT: Mark(word=_("Task limit"), icon="stop", tone="warn"),
    Verdict.POLICY_VIOLATION: Mark(word=_("Not allowed here"), icon="shield", tone="bad"),
    Verdict.INTERNAL_ERROR: Mark(word=_("A fault of ours"), icon="wrench", tone="ours"),
}
STATES = {
    State.QUEUED: Mark(word=_("Waiting"), icon="clock"),
    State.RUNNING: Mark(word=_("Running"), icon="play"),
    State.SUPERSEDED: Mark(word=_("Not judged"), icon="history"),
}
CANCELLED = Mark(word=_("Cancelled"), icon="stop")
FINISHED = Mark(word=_("Ran"), icon="check", tone="good")
NOT_STARTED = Mark(word=_("Not started"), icon="ring")
UNDER_REVIEW = Mark(word=_("Handed in"), icon="clock")
GIVEN_UP = Mark(word=_("Given up"), icon="half")
TRIED = Mark(word=_("Not yet solved"), icon="half")


def verdict_mark(verdict: str) -> Mark:
    """The mark of a verdict's word."""
    return VERDICTS[Verdict(verdict)]


def work_mark(*, state: str, verdict: str) -> Mark:
    """The mark of a run or a grading: of its verdict once it has one, before that of its state."""
    return verdict_mark(verdict) if verdict else STATES[State(state)]
