"""How often the first likely cause is the true one, over the blind set: run in the real sandbox, printed as a table.

`python -m tests.diagnosis.table [--without-mistakes] [--json] [EXERCISE…]`. With listed mistakes the slug must be named
where the index has one; without them, the cause. Of what the closed list has no word for (`other`) no word of the list
may be claimed.
"""

import argparse
import dataclasses
import json
import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import django
import yaml
from exercises.content import read_exercise
from exercises.draws import draw_seeds
from graders.outcomes import Stage, Verdict
from worker.cases import make_cases
from worker.grading import grade_code, prepare
from worker.sandbox.service import private_runner

HERE = Path(__file__).parent
EXERCISES = sorted(path.name for path in (HERE / "exercises").iterdir())
CAUSES = set(yaml.safe_load((HERE / "causes.yaml").read_text()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One wrong or right solution: its true cause ("" if it is right), and what was found with and without mistakes."""

    exercise: str
    file: str
    cause: str
    listed: str
    accepted: bool
    generic: str
    with_mistakes: str | None = None

    @property
    def generic_is_true(self):
        return self.generic not in CAUSES if self.cause == "other" else self.generic == self.cause

    @property
    def is_true_with_mistakes(self):
        return self.with_mistakes == self.listed if self.listed else self.generic_is_true

    @property
    def name(self):
        return f"{self.exercise}/{self.file}"


def rows(runner, slug, *, mistakes=True):
    """Every solution of one exercise, judged."""
    folder = read_exercise(HERE / "exercises" / slug)
    exercise = folder.definition["exercise"]
    seeds = draw_seeds(folder.grading_hash, slug, folder.grading_hash, exercise["draws"])
    made = prepare(folder.definition, make_cases(folder.definition, seeds, runner))
    unlisted = dataclasses.replace(made, key=dataclasses.replace(made.key, mistakes=()))
    judged = partial(_judged, runner, exercise)
    entries = [entry for entry in _index() if entry["exercise"] == slug]
    right = [path.name for path in sorted((HERE / "solutions" / slug / "right").glob("*.py"))]
    entries += [{"exercise": slug, "file": name, "cause": "", "listed": None} for name in right]
    for entry in entries:
        path = HERE / "solutions" / slug / ("wrong" if entry["cause"] else "right") / entry["file"]
        generic = judged(unlisted, path)
        named = judged(made, path) if mistakes and (entry["listed"] or not entry["cause"]) else None
        yield Row(
            exercise=slug,
            file=entry["file"],
            cause=entry["cause"],
            listed=entry["listed"] or "",
            accepted=generic.verdict == Verdict.ACCEPTED,
            generic=found(generic),
            with_mistakes=found(named) if named else None,
        )


def found(outcome):
    """The cause that is named; where none is, the exception that says enough by itself."""
    named = [told.cause for told in (outcome.feedback, *(case.feedback for case in outcome.cases)) if told.cause]
    if named:
        return named[0]
    return "exception" if outcome.feedback.stage == Stage.EXCEPTION else ""


def summary(all_rows, exercise=None):
    """Counts of one exercise or of all."""
    chosen = [row for row in all_rows if exercise in (None, row.exercise)]
    wrong = [row for row in chosen if row.cause]
    right = [row for row in chosen if not row.cause]
    return {
        "exercise": exercise or "all",
        "wrong": len(wrong),
        "wrong accepted": sum(row.accepted for row in wrong),
        "right": len(right),
        "right refused": sum(not row.accepted or bool(row.generic or row.with_mistakes) for row in right),
        "generic": sum(row.generic_is_true for row in wrong),
        "with mistakes": sum(row.is_true_with_mistakes for row in wrong),
    }


def misses(all_rows):
    """The wrong solutions whose first cause is not the true one, with what was said instead."""
    return [
        {"file": row.name, "cause": row.cause, "generic": row.generic, "listed": row.listed, "named": row.with_mistakes}
        for row in all_rows
        if row.cause and not (row.generic_is_true and (row.with_mistakes is None or row.is_true_with_mistakes))
    ]


def table(all_rows, *, mistakes=True):
    """The lines to print."""
    heads = ["exercise", "wrong", "wrong accepted", "right", "right refused", "generic"]
    heads += ["with mistakes"] if mistakes else []
    exercises = [slug for slug in EXERCISES if any(row.exercise == slug for row in all_rows)]
    yield "  ".join(f"{head:>{_width(head)}}" for head in heads)
    for slug in (*exercises, None):
        counts = summary(all_rows, slug)
        cells = [counts[head] for head in heads]
        cells[5:] = [f"{cell} ({100 * cell / max(counts['wrong'], 1):.0f} %)" for cell in cells[5:]]
        yield "  ".join(f"{cell:>{_width(head)}}" for head, cell in zip(heads, cells, strict=True))
    yield ""
    yield "Misses (true cause → first cause without listed mistakes; listed → named):"
    for miss in misses(all_rows):
        listed = f"; {miss['listed']} → {miss['named'] or 'none'}" if miss["listed"] and mistakes else ""
        yield f"  {miss['file']}: {miss['cause']} → {miss['generic'] or 'none'}{listed}"


def _width(head):
    return max(22 if head == "exercise" else 14, len(head))


def _index():
    return yaml.safe_load((HERE / "index.yaml").read_text())


def _judged(runner, exercise, made, path):
    return grade_code(runner, made.request(path.stem, exercise, path.read_text()), made.key)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exercises", nargs="*", default=EXERCISES, metavar="EXERCISE")
    parser.add_argument("--without-mistakes", action="store_true", help="only what is found without listed mistakes")
    parser.add_argument("--json", action="store_true", help="counts and misses as one JSON object")
    chosen = parser.parse_args()
    mistakes = not chosen.without_mistakes
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    with private_runner(slots=2) as runner:
        found_rows = [row for slug in chosen.exercises for row in rows(runner, slug, mistakes=mistakes)]
    if chosen.json:
        counts = [summary(found_rows, slug) for slug in (*chosen.exercises, None)]
        sys.stdout.write(json.dumps({"counts": counts, "misses": misses(found_rows)}, indent=1) + "\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in table(found_rows, mistakes=mistakes))


if __name__ == "__main__":
    main()
