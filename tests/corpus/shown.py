"""What students are shown of a run, and what must never be in it."""

import json
import math
import sys
import unicodedata

import numpy as np

from graders.arrays import Array
from worker.sandbox.job import Limits
from worker.sandbox.launch import PROJECT

# Words that stand in our own code, in its environment or in the places where it lies.
OURS = (
    str(PROJECT),
    sys.prefix,
    "site-packages",
    "worker/sandbox",
    "worker.sandbox",
    "graders/",
    "quizsite",
    "canary-",
)
_TOLD_DIGITS = 7
MESSAGE_CHARACTERS = 20_000


def shown_texts(graded):
    """Every text of an outcome and of what the run printed."""
    report = graded.report
    texts = [report.stdout, report.stderr, report.detail, *_strings(graded.outcome.to_json())]
    if report.load_error:
        texts += [report.load_error.type, report.load_error.message, report.load_error.traceback]
    return texts


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for item in value.values() for text in _strings(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in _strings(item))


def leaks(graded, made):
    """Which words of ours and which numbers of hidden cases are in what is shown."""
    text = "\n".join(shown_texts(graded)) + json.dumps(graded.outcome.to_json())
    return sorted(word for word in {*OURS, *hidden_numbers(made)} if word in text)


def hidden_numbers(made):
    """Inputs and expected outputs of hidden cases, as the first digits that printing them would show."""
    for case in made.key.cases:
        if not case.visible:
            for value in (*case.inputs.args, *case.inputs.kwargs.values(), case.expected):
                yield from _numbers(value)


def _numbers(value):
    if isinstance(value, Array) and np.issubdtype(value.values.dtype, np.floating):
        told = (repr(abs(float(number))) for number in value.values.ravel() if math.isfinite(number))
        yield from (text[:_TOLD_DIGITS] for text in told if len(text) > _TOLD_DIGITS and "e" not in text)
    elif isinstance(value, dict):
        yield from (text for item in value.values() for text in _numbers(item))
    elif isinstance(value, list | tuple):
        yield from (text for item in value for text in _numbers(item))


def faults_of_form(graded):
    """Texts over their caps, not valid UTF-8, or with control characters."""
    report, kept = graded.report, Limits().kept_bytes
    faults = [name for name in ("stdout", "stderr") if len(getattr(report, name).encode()) > kept]
    for text in shown_texts(graded):
        if len(text) > max(MESSAGE_CHARACTERS, kept):
            faults.append(f"a text of {len(text)} characters")
        if any(unicodedata.category(letter) in ("Cc", "Cs") and letter not in "\n\t" for letter in text):
            faults.append(f"control characters in {text[:80]!r}")
    return faults
