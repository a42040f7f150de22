"""What students did in a course, for research: of those who agree, under made-up names, written while it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import F, QuerySet

from exercises.choices import Kind, RunKind
from exercises.exports.codebook import CODEBOOK
from exercises.exports.pseudonyms import Pseudonyms, Redaction
from exercises.exports.tables import Cell, csv_lines
from exercises.exports.zipped import zip_pieces
from exercises.models import (
    Activity,
    AssignmentExercise,
    CaseResult,
    Course,
    ExerciseVersion,
    Membership,
    Refusal,
    Run,
    Submission,
)
from exercises.queries.research import consenting_members

ROWS_AT_ONCE = 1000
Rows = Iterator[Sequence[Cell]]


def research_zip(course: Course, *, key: bytes) -> Iterator[bytes]:
    """The zip piece by piece; `key` makes the names, and must be kept nowhere."""
    return zip_pieces(_files(course, Pseudonyms(key=key)))


def _files(course: Course, names: Pseudonyms) -> Iterator[tuple[str, Iterable[str]]]:
    yield "codebook.csv", csv_lines(_codebook())
    tables: Mapping[str, Callable[[Course, Pseudonyms], Rows]] = {
        "students.csv": _students,
        "versions.csv": _versions,
        "assignments.csv": _assignments,
        "submissions.csv": _submissions,
        "cases.csv": _cases,
        "runs.csv": _runs,
        "hints.csv": _activities,
        "refusals.csv": _refusals,
    }
    for name, table in tables.items():
        yield name, csv_lines(_headed(CODEBOOK[name], table(course, names)))
    yield "sources.jsonl", _sources(course, names)


def _codebook() -> Rows:
    yield ("file", "column", "meaning")
    for file, columns in CODEBOOK.items():
        for column, meaning in columns.items():
            yield (file, column, meaning)


def _headed(columns: Iterable[str], rows: Rows) -> Rows:
    yield tuple(columns)
    yield from rows


def _students(course: Course, names: Pseudonyms) -> Rows:
    rows = consenting_members(course).values_list("user_id", "joined_at").order_by("user_id")
    # By their made-up names: the order of accounts would tell who joined the site when.
    yield from sorted((names.of("student", pk), _moment(at)) for pk, at in rows)


def _versions(course: Course, names: Pseudonyms) -> Rows:
    rows = ExerciseVersion.objects.filter(exercise__course=course).order_by("exercise", "number")
    fields = ("exercise__slug", "number", "kind", "points", "grading_hash", "created_at", "pk", "exercise__published")
    for *facts, made_at, pk, published in rows.values_list(*fields).iterator():
        yield (*facts, _moment(made_at), int(pk == published))


def _assignments(course: Course, names: Pseudonyms) -> Rows:
    rows = AssignmentExercise.objects.filter(assignment__course=course).order_by("assignment", "position")
    of_assignment = ("weight", "is_quiz", "opens_at", "due_at", "closes_at")
    fields = ("assignment__slug", "exercise__slug", "points", *(f"assignment__{name}" for name in of_assignment))
    for slug, exercise, points, weight, is_quiz, *dates in rows.values_list(*fields).iterator():
        yield (slug, exercise, points, weight, int(is_quiz), *map(_moment, dates))


def _submissions(course: Course, names: Pseudonyms) -> Rows:
    judged = ("state", "verdict", "score", "max_score", "cpu_seconds", "wall_seconds", "peak_memory_bytes")
    machine = ("torch_version", "cpu_capability", "finished_at")
    fields = ("pk", "student_id", "exercise__slug", "version__number", "assignment__slug", "created_at", "is_counted")
    rows = _handed_in(course).filter(gradings__in_force=True)
    found = rows.values_list(*fields, "due_at", *(f"gradings__{name}" for name in (*judged, *machine)))
    for pk, student, exercise, version, assignment, at, is_counted, due_at, *facts, judged_at in found.iterator():
        who = (names.of("submission", pk), names.of("student", student))
        yield (
            *who,
            exercise,
            version,
            assignment or "",
            _moment(at),
            int(is_counted),
            _moment(due_at),
            *facts,
            _moment(judged_at),
        )


def _cases(course: Course, names: Pseudonyms) -> Rows:
    rows = CaseResult.objects.filter(grading__in_force=True, grading__submission__in=_handed_in(course).order_by())
    fields = ("index", "is_visible", "verdict", "points", "max_points", "cause")
    found = rows.order_by("grading_id", "index").values_list("grading__submission_id", *fields)
    for submission, index, is_visible, *facts in found.iterator():
        yield (names.of("submission", submission), index, int(is_visible), *facts)


def _runs(course: Course, names: Pseudonyms) -> Rows:
    """Those on exercises and in lessons of the course: what somebody tries in the playground is theirs alone."""
    of_course = {RunKind.CASES: "version__exercise__course", RunKind.SNIPPET: "lesson__course"}
    fields = ("student_id", "kind", "exercise", "lesson__slug", "snippet", "queued_at", "verdict", "cpu_seconds")
    for kind, place in of_course.items():
        rows = Run.objects.filter(kind=kind, student__in=_consenting(course), **{place: course}).order_by("pk")
        found = rows.annotate(exercise=F("version__exercise__slug")).values_list(*fields)
        for student, kind_of, exercise, lesson, snippet, at, *facts in found.iterator():
            yield (
                names.of("student", student),
                kind_of,
                exercise or "",
                lesson or "",
                snippet,
                _moment(at),
                *facts,
            )


def _activities(course: Course, names: Pseudonyms) -> Rows:
    rows = Activity.objects.filter(exercise__course=course, student__in=_consenting(course)).order_by("pk")
    for student, exercise, kind, number, at in rows.values_list(
        "student_id", "exercise__slug", "kind", "number", "at"
    ).iterator():
        yield (names.of("student", student), exercise, kind, number, _moment(at))


def _refusals(course: Course, names: Pseudonyms) -> Rows:
    rows = Refusal.objects.filter(exercise__course=course, student__in=_consenting(course)).order_by("pk")
    for student, exercise, assignment, reason, at in rows.values_list(
        "student_id", "exercise__slug", "assignment__slug", "reason", "at"
    ).iterator():
        yield (names.of("student", student), exercise, assignment or "", reason, _moment(at))


def _sources(course: Course, names: Pseudonyms) -> Iterator[str]:
    members = course.memberships.select_related("user").order_by("pk")
    redaction = Redaction.of_people((row.user, row.external_id) for row in members)
    rows = _handed_in(course).exclude(version__kind=Kind.EXPLAIN)
    found = rows.values_list("pk", "student_id", "source", "response").iterator(chunk_size=ROWS_AT_ONCE)
    for pk, student, source, response in found:
        said: dict[str, Any] = {"source": source} if source else {"response": response}
        line = {"submission": names.of("submission", pk), **redaction.of(said, student)}
        yield json.dumps(line, ensure_ascii=False) + "\n"


def _consenting(course: Course) -> QuerySet[Membership, int]:
    return consenting_members(course).values_list("user", flat=True)


def _handed_in(course: Course) -> QuerySet[Submission]:
    """What those who agree have handed in; nothing of erased accounts."""
    found = Submission.objects.filter(exercise__course=course, student__in=_consenting(course))
    return found.exclude(body_hash="").order_by("pk")


def _moment(at: datetime | None) -> str:
    return "" if at is None else at.isoformat(timespec="seconds")
