"""Makes the site of a preview what the folder says."""

from __future__ import annotations

from pathlib import Path

from django.db import connections

from exercises.content import ContentError, Problem, read_course
from exercises.models import User
from exercises.services import CourseChanges, enrol, load_course
from quizsite.embedded import DEMO_ACCOUNTS
from quizsite.previewing import LONGEST_LINE, Fault, PreviewState


def load_folder(folder: Path, number: int) -> PreviewState:
    """What became of the folder. One with problems changes nothing: students see what they saw before."""
    try:
        course = read_course(folder)
    except ContentError as error:
        return PreviewState(number=number, faults=[_fault(folder, problem) for problem in error.problems])
    try:
        changes = load_course(course)
        for user in User.objects.filter(username__in=DEMO_ACCOUNTS):
            enrol(user, changes.course, role=DEMO_ACCOUNTS[user.username])
    finally:
        # Nothing is asked of the database until the next change.
        connections.close_all()
    return PreviewState(number=number, changes=_said(changes))


def _said(changes: CourseChanges) -> list[str]:
    return [
        f"{noun} {slug}: {change}"
        for noun, changed in (("lesson", changes.lessons), ("exercise", changes.exercises))
        for slug, change in changed.items()
        if change != "unchanged"
    ]


def _fault(folder: Path, problem: Problem) -> Fault:
    place = str(Problem(file=problem.file, line=problem.line, field=problem.field, message="")).removesuffix(": ")
    return Fault(place=place, message=problem.message, text=_line(folder / problem.file, problem.line))


def _line(file: Path, number: int | None) -> str:
    """The line of the file, if it can be read."""
    if number is None or file.is_symlink() or not file.is_file():
        return ""
    lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    return lines[number - 1][:LONGEST_LINE] if number <= len(lines) else ""
