"""What an export for research holds: each file and each of its columns in words. docs/research.md repeats it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

Columns = Mapping[str, str]

CODEBOOK: Final[Mapping[str, Columns]] = {
    "students.csv": {
        "student": "made-up name, the same in all files of this export and in no other export",
        "joined_at": "when they joined the course",
    },
    "versions.csv": {
        "exercise": "slug of the exercise",
        "version": "number of the version, from 1",
        "kind": "code, script, choice, numeric, text, tensor, blanks, ordering, matching or explain",
        "points": "points of the exercise",
        "grading_hash": "the same for versions that judge alike",
        "made_at": "when the version was made",
        "is_published": "1 for the version that students meet now, else 0",
    },
    "assignments.csv": {
        "assignment": "slug of the assignment",
        "exercise": "slug of an exercise in it",
        "points": "points of the exercise there",
        "weight": "weight of the assignment in the grade",
        "is_quiz": "1 for a quiz, else 0",
        "opens_at": "when it opens for all; empty: at once",
        "due_at": "when it is due for all; empty: never",
        "closes_at": "when it closes for all; empty: never",
    },
    "submissions.csv": {
        "submission": "made-up name of the hand-in",
        "student": "see students.csv",
        "exercise": "slug of the exercise",
        "version": "number of the version that was answered",
        "assignment": "slug of the assignment that it was handed in to; empty: none",
        "handed_in_at": "when it arrived",
        "is_counted": "0 for practice, which is in no score, else 1",
        "due_at": "when it was due for this student, as things stood then; empty: never",
        "state": "graded, queued, running or superseded",
        "verdict": "accepted, wrong_answer, runtime_error, … (docs/grading.md); empty before there is one",
        "score": "points that it reached",
        "max_score": "points that could be reached",
        "cpu_seconds": "computing time of code",
        "wall_seconds": "time of code by the clock on the wall",
        "peak_memory_bytes": "most memory that code used",
        "torch_version": "version of torch that ran it",
        "cpu_capability": "instructions that torch used",
        "judged_at": "when it was judged",
    },
    "cases.csv": {
        "submission": "see submissions.csv",
        "case": "number of the case, from 0, in the author's order",
        "is_visible": "1 where students see the case, else 0",
        "verdict": "as in submissions.csv, of the case",
        "points": "points that it reached",
        "max_points": "points that could be reached",
        "cause": "slug of a listed mistake or of a likely cause; empty where none was found",
    },
    "sources.jsonl": {
        "submission": "see submissions.csv",
        "source": "the code that was handed in, without names; not of other kinds",
        "response": "the response to a question, without names; explanations are left out",
    },
    "runs.csv": {
        "student": "see students.csv",
        "kind": "cases (visible cases of an exercise) or snippet (of a lesson)",
        "exercise": "slug of the exercise; empty for snippets",
        "lesson": "slug of the lesson; empty for cases",
        "snippet": "number of the snippet in it, from 0",
        "asked_at": "when it was asked for",
        "verdict": "how it ended",
        "cpu_seconds": "computing time",
    },
    "hints.csv": {
        "student": "see students.csv",
        "exercise": "slug of the exercise",
        "kind": "hint_opened, solution_viewed or gave_up",
        "number": "which hint, from 1",
        "at": "when",
    },
    "refusals.csv": {
        "student": "see students.csv",
        "exercise": "slug of the exercise",
        "assignment": "slug of the assignment; empty: none",
        "reason": "why a hand-in was not taken: closed, not_open, not_started, time_over, no_attempts, version_changed",
        "at": "when",
    },
}
