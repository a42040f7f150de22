"""What differs between what two builds of torch gave: line by line, each of no weight or to be looked at."""

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from graders.arrays import Array, in_float64
from graders.printed import compare_printed
from graders.tensors import compare
from worker.sandbox.wire import load_value
from worker.values import graders_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is otherwise. `matters` where work is judged otherwise than before, or may be."""

    what: str
    where: str
    found: str
    matters: bool = True

    def to_json(self):
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """All differences, and how many things were compared."""

    differences: tuple
    count: int

    @property
    def failed(self):
        return sum(difference.matters for difference in self.differences)


def compared(before, after, *, comparisons, accepted=()):
    """What `after` has otherwise, by each exercise's own comparison; `accepted` are denied calls that may be new."""
    found, count = [], 0
    for name, ours in before["exercises"].items():
        theirs = after["exercises"].get(name, {"error": "it was not run"})
        found += _of_exercise(name, ours, theirs, comparisons[name])
        count += len(ours.get("values", ())) + len(ours.get("mistakes", ())) + 1
    for name, ours in before["lessons"].items():
        found += _of_lesson(name, ours, after["lessons"][name])
        count += len(ours["printed"])
    for name, verdict in before["corpus"].items():
        found += _verdict("submission", name, verdict, after["corpus"].get(name))
        count += 1
    for call, times in after["denied"].items():
        if call not in before["denied"]:
            is_accepted = call.split(":")[0] in accepted
            found.append(Difference(what="denied call", where=call, found=f"{times} runs", matters=not is_accepted))
    return Compared(differences=tuple(found), count=count + len(before["denied"].keys() | after["denied"].keys()))


def _of_exercise(name, ours, theirs, comparison):
    if "error" in ours or "error" in theirs:
        if ours.get("error") != theirs.get("error"):
            yield Difference(what="exercise", where=name, found=theirs.get("error") or "it runs, and did not before")
        return
    if ours["inputs"] != theirs["inputs"]:
        message = "drawn otherwise from the same seeds; the outputs are compared on the same ones"
        yield Difference(what="inputs", where=name, found=message, matters=False)
    yield from _verdict("reference", name, ours["reference"], theirs["reference"])
    for slug, verdict in ours["mistakes"].items():
        yield from _verdict("mistake", f"{name}/{slug}", verdict, theirs["mistakes"].get(slug))
    for number, (own, other) in enumerate(zip(ours["values"], theirs["values"], strict=True), 1):
        yield from _output(f"{name}, case {number}", own, other, comparison)


def _output(where, ours, theirs, comparison):
    if ours == theirs:
        return
    if ours is None or theirs is None:
        yield Difference(what="output", where=where, found="none" if theirs is None else "one, and none before")
        return
    expected, actual = _value(ours), _value(theirs)
    mismatch = None if comparison is None else compare(actual, expected, comparison)
    by = f"largest difference {largest_difference(actual, expected):.3g}"
    side = "within tolerance" if mismatch is None else f"outside of tolerance ({mismatch.stage.value})"
    yield Difference(what="output", where=where, found=f"{by}, {side}", matters=mismatch is not None)


def _of_lesson(name, ours, theirs):
    for finding in theirs["findings"]:
        if finding not in ours["findings"]:
            yield Difference(what="lesson", where=name, found=finding)
    for key, (line, printed, value) in ours["printed"].items():
        _, other_printed, other_value = theirs["printed"].get(key, [line, "", ""])
        if (printed, value) == (other_printed, other_value):
            continue
        mismatch = compare_printed(other_printed, printed)
        found = "other digits, within tolerance" if mismatch is None else f"prints {other_printed[:80]!r}"
        yield Difference(what="lesson", where=f"{name}: {line}", found=found, matters=mismatch is not None)


def _verdict(what, where, ours, theirs):
    if ours != theirs:
        yield Difference(what=what, where=where, found=f"{_words(theirs)}; it was {_words(ours)}")


def _words(verdict):
    return " ".join(filter(None, verdict)) if isinstance(verdict, list) else str(verdict)


def _value(packed):
    return graders_value(load_value(base64.b64decode(packed)))


def largest_difference(actual, expected):
    """Over all numbers at the same places; infinite where they have not the same form."""
    if isinstance(actual, Array) and isinstance(expected, Array):
        if actual.shape != expected.shape:
            return float("inf")
        with np.errstate(invalid="ignore", over="ignore"):
            apart = np.abs(in_float64(actual) - in_float64(expected))
        return float(np.nan_to_num(apart, nan=0.0).max(initial=0.0))
    if isinstance(actual, Mapping) and isinstance(expected, Mapping) and actual.keys() == expected.keys():
        return max((largest_difference(actual[key], expected[key]) for key in actual), default=0.0)
    if isinstance(actual, list | tuple) and isinstance(expected, list | tuple) and len(actual) == len(expected):
        return max(map(largest_difference, actual, expected), default=0.0)
    if isinstance(actual, int | float | complex) and isinstance(expected, int | float | complex):
        return float(abs(actual - expected))
    return 0.0 if actual == expected else float("inf")
