"""The rows of a made class's work: submissions, gradings, case results, attempts and best scores, in order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice

import numpy as np
from django.db import transaction

from exercises.choices import Lane, State
from exercises.made_classes.given_moments import given_moments
from exercises.made_classes.materials import MISHAPS, RIGHT, Sheet, code_sheets, mistakes_of, question_sheets
from exercises.made_classes.plans import Work
from exercises.made_classes.sizes import ClassSize
from exercises.models import Attempt, BestScore, CaseResult, Exercise, ExerciseVersion, Grading, Submission, User
from exercises.queries import response_seed
from exercises.services.storing import RECEIPT_LETTERS
from graders.outcomes import Verdict

AT_ONCE = 2000
RECEIPTS = len(RECEIPT_LETTERS) ** 8
STRIDE = 387_420_489_001
"""Has no factor in common with `RECEIPTS`: so receipts follow one another without a pattern, and none comes twice."""
MINUTES_BETWEEN = 25.0
WAITING_FOR_REVIEW = 0.15
TORCH, RUNNER = "2.11.0+cpu", "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandIn:
    """One of them, before it is a row. `assignment` is the id of the one that it belongs to."""

    at: datetime
    student: User
    exercise: Exercise
    version: ExerciseVersion
    sheet: Sheet
    seed: str
    try_number: int
    assignment: int | None
    due_at: datetime | None
    is_counted: bool


class Maker:
    """Makes the hand-ins of a plan, and remembers the best of each student at each exercise."""

    def __init__(self, size: ClassSize, exercises: Sequence[Exercise], students: Sequence[User]) -> None:
        self._size, self._exercises, self._students = size, exercises, students
        self._rng = np.random.default_rng(size.seed + 2)
        self._sheets = {
            exercise.pk: code_sheets(exercise.published)
            for exercise in exercises
            if exercise.published is not None and exercise.published.is_code
        }
        self._blobs: dict[int, bytes | None] = {}
        self._best: dict[tuple[int, int], BestScore] = {}
        self._made = 0
        self._windows = {
            item.exercise_id: (item.assignment_id, item.assignment.due_at, item.assignment.closes_at)
            for exercise in exercises
            for item in exercise.assignment_items.select_related("assignment")
        }

    def make(self, plan: Sequence[Work]) -> None:
        """Write all rows of the plan."""
        hand_ins = iter(sorted((item for work in plan for item in self._hand_ins(work)), key=_moment))
        with given_moments(Submission, BestScore):
            while batch := list(islice(hand_ins, AT_ONCE)):
                self._store(batch)
            with transaction.atomic():
                BestScore.objects.bulk_create(self._best.values(), batch_size=AT_ONCE)

    def _hand_ins(self, work: Work) -> Iterator[HandIn]:
        exercise, student = self._exercises[work.exercise], self._students[work.student]
        assignment, due_at, closes_at = self._windows.get(exercise.pk, (None, None, None))
        version = exercise.published
        assert version is not None
        versions = sorted(exercise.versions.all(), key=_number)
        seed = "" if version.is_code else response_seed(student, exercise)
        sheets = self._sheets.get(exercise.pk) or question_sheets(exercise, seed, work.mistake)
        for place, at in enumerate(self._moments(work)):
            is_early = at < self._size.opens_at(self._size.week_of(work.exercise)) + timedelta(days=3)
            yield HandIn(
                at=at,
                student=student,
                exercise=exercise,
                version=versions[0] if is_early else version,
                sheet=self._sheet(work, place, sheets, mistakes_of(version)),
                seed=seed,
                try_number=place + 1,
                assignment=assignment,
                due_at=due_at,
                is_counted=closes_at is None or at < closes_at,
            )

    def _moments(self, work: Work) -> list[datetime]:
        opens_at = self._size.opens_at(self._size.week_of(work.exercise))
        room = min((self._size.until - opens_at).total_seconds() / 86400, 7.0)
        first = opens_at + timedelta(days=float(self._rng.beta(2.0, 1.3)) * room * 0.95)
        gaps = self._rng.exponential(MINUTES_BETWEEN, work.tries - 1).cumsum()
        return [min(first + timedelta(minutes=float(gap)), self._size.until) for gap in (0.0, *gaps)]

    def _sheet(self, work: Work, place: int, sheets: dict[str, Sheet], mistakes: list[str]) -> Sheet:
        if work.success is not None and place >= work.success:
            is_waiting = "waiting" in sheets and self._rng.random() < WAITING_FOR_REVIEW
            return sheets["waiting" if is_waiting else RIGHT]
        if work.mistake is not None and (place == 0 or self._rng.random() < 0.5):
            return sheets.get(mistakes[work.mistake], sheets[MISHAPS[0]])
        return sheets.get(MISHAPS[int(self._rng.integers(len(MISHAPS)))], sheets[MISHAPS[0]])

    @transaction.atomic
    def _store(self, batch: Sequence[HandIn]) -> None:
        submissions = Submission.objects.bulk_create(self._submission(item) for item in batch)
        Attempt.objects.bulk_create(
            Attempt(submission=row) for row, item in zip(submissions, batch, strict=True) if item.is_counted
        )
        pairs = list(zip(submissions, batch, strict=True))
        gradings = Grading.objects.bulk_create(self._grading(row, item) for row, item in pairs)
        cases = [
            result for grading, item in zip(gradings, batch, strict=True) for result in _case_results(grading, item)
        ]
        CaseResult.objects.bulk_create(cases, batch_size=4 * AT_ONCE)
        for grading, item in zip(gradings, batch, strict=True):
            self._remember(grading, item)

    def _submission(self, item: HandIn) -> Submission:
        self._made += 1
        sheet = item.sheet
        source = f"{sheet.source}# attempt {item.try_number}\n" if sheet.source else ""
        return Submission(
            student=item.student,
            exercise=item.exercise,
            version=item.version,
            created_at=item.at,
            receipt=_receipt(item.exercise.course_id, self._made),
            source=source,
            response=sheet.response,
            seed=item.seed,
            body_hash=Sheet(outcome=None, source=source, response=sheet.response).body_hash,
            assignment_id=item.assignment,
            due_at=item.due_at,
            is_counted=item.is_counted,
        )

    def _grading(self, submission: Submission, item: HandIn) -> Grading:
        outcome, version = item.sheet.outcome, item.version
        is_judged, is_code = outcome is not None, version.is_code
        finished_at = item.at + timedelta(seconds=float(self._rng.gamma(2.0, 0.1)))
        return Grading(
            submission=submission,
            student=item.student,
            version=version,
            in_force=True,
            lane=Lane.REVIEW if version.is_reviewed else Lane.SUBMISSION,
            state=State.GRADED if is_judged else State.QUEUED,
            verdict=outcome.verdict if outcome else "",
            score=outcome.score if outcome else None,
            max_score=outcome.max_score if outcome else None,
            feedback=self._blob(item.sheet),
            queued_at=item.at,
            started_at=item.at if is_judged else None,
            finished_at=finished_at if is_judged else None,
            cpu_seconds=float(self._rng.gamma(2.0, 0.01)) if is_code else None,
            wall_seconds=float(self._rng.gamma(2.0, 0.02)) if is_code else None,
            torch_version=TORCH if is_code else "",
            runner_version=RUNNER if is_code else "",
        )

    def _blob(self, sheet: Sheet) -> bytes | None:
        """Packed once for each sheet: the sheets of code are the same ones for everybody."""
        if not sheet.source:
            return sheet.blob
        if id(sheet) not in self._blobs:
            self._blobs[id(sheet)] = sheet.blob
        return self._blobs[id(sheet)]

    def _remember(self, grading: Grading, item: HandIn) -> None:
        if not item.is_counted or grading.score is None or not grading.max_score:
            return
        key = (item.student.pk, item.exercise.pk)
        best = self._best.get(key)
        if best is None:
            best = BestScore(
                student=item.student, exercise=item.exercise, submissions=0, score=Decimal(-1), max_score=1
            )
            self._best[key] = best
        best.submissions += 1
        best.updated_at = item.at
        if grading.verdict == Verdict.ACCEPTED and best.solved_at is None:
            best.solved_at = item.at
        if grading.score / grading.max_score > best.share:
            best.grading, best.verdict = grading, grading.verdict
            best.score, best.max_score = grading.score, grading.max_score


def _case_results(grading: Grading, item: HandIn) -> list[CaseResult]:
    cases = item.sheet.outcome.cases if item.sheet.outcome else ()
    return [
        CaseResult(
            grading=grading,
            index=index,
            name=case.name,
            is_visible=case.visible,
            verdict=case.verdict,
            points=case.points,
            max_points=case.max_points,
            cause=case.feedback.cause,
        )
        for index, case in enumerate(cases)
    ]


def _receipt(course_id: int, number: int) -> str:
    left = (number * STRIDE + course_id * 7919 * STRIDE * 1_000_003) % RECEIPTS
    letters = ""
    for _ in range(8):
        left, place = divmod(left, len(RECEIPT_LETTERS))
        letters += RECEIPT_LETTERS[place]
    return f"{letters[:4]}-{letters[4:]}"


def _moment(item: HandIn) -> datetime:
    return item.at


def _number(version: ExerciseVersion) -> int:
    return version.number
