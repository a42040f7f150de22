"""Who gains and who loses by a regrade: by how much, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from django.db.models import Q, QuerySet

from exercises.choices import RegradeState, State
from exercises.models import CaseResult, Grading, Override, Regrade, User
from exercises.queries.regrades import NO_SHARE, is_better, regrade_progress, share_of
from graders.outcomes import Verdict

HUNDREDTH = Decimal("0.01")
IDS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class RegradeChange:
    """What a regrade changes for one student: their best grading `before` and `after`.

    They may be of different submissions. `decisive` is the new grading of the one that makes the difference, and `case`
    the first of its cases that is judged differently, if it has cases. `difference` is in points of the exercise.
    """

    student: User
    before: Grading | None
    after: Grading | None
    difference: Decimal
    decisive: Grading
    case: str = ""

    @property
    def verdict_before(self) -> str:
        """Of the submission that makes the difference."""
        return self.decisive.instead_of.verdict if self.decisive.instead_of else ""

    @property
    def verdict_after(self) -> str:
        """Of the submission that makes the difference."""
        return self.decisive.verdict

    @property
    def why(self) -> str:
        """The reason in words, as `accepted → wrong answer, first in “a batch”`."""
        verdicts = " → ".join(verdict.replace("_", " ") for verdict in (self.verdict_before, self.verdict_after))
        return f"{verdicts}, first in “{self.case}”" if self.case else verdicts


def regrade_changes(regrade: Regrade) -> list[RegradeChange]:
    """A line for each student whose best score or verdict changes, or changed: losses first, then by name.

    As the best score has it: without practice, and without those whose score staff set by hand.
    """
    found = [change for student in _by_student(regrade) if (change := student.change()) is not None]
    return sorted(_with_cases(found), key=lambda change: (change.difference, str(change.student), change.student.pk))


def regrade_summary(regrade: Regrade) -> dict[str, int]:
    """How many students gain and lose by it, and what became of its gradings; as it is kept on record."""
    changes, progress = regrade_changes(regrade), regrade_progress(regrade)
    return {
        "gain": sum(change.difference > 0 for change in changes),
        "lose": sum(change.difference < 0 for change in changes),
        "gradings": progress.total,
        "failed": progress.failed,
        "impossible": progress.impossible,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Student:
    """The gradings of one student that a regrade made, and those in force of their other submissions."""

    points: Decimal
    anew: Sequence[Grading]
    others: Sequence[Grading]
    keeps_better: bool

    def change(self) -> RegradeChange | None:
        before = _best([*(item.instead_of for item in self.anew if item.instead_of), *self.others])
        after = _best([*self._effective(), *self.others])
        if _standing(before) == _standing(after):
            return None
        decisive = self._decisive(before, after)
        difference = (max(_share(after), Decimal(0)) - max(_share(before), Decimal(0))) * self.points
        return RegradeChange(
            student=decisive.student,
            before=before,
            after=after,
            difference=difference.quantize(HUNDREDTH),
            decisive=decisive,
        )

    def _effective(self) -> Iterator[Grading]:
        for item in self.anew:
            before = item.instead_of
            is_judged = item.state == State.GRADED and item.verdict != Verdict.INTERNAL_ERROR
            if is_judged and not (self.keeps_better and before is not None and is_better(before, item)):
                yield item
            elif before is not None:
                yield before

    def _decisive(self, before: Grading | None, after: Grading | None) -> Grading:
        """Of a gain what is best afterwards, of a loss what was best before: as it was judged anew."""
        wanted = (after, before) if _share(after) > _share(before) else (before, after)
        return next(item for best in wanted for item in self.anew if best in (item, item.instead_of))


def _by_student(regrade: Regrade) -> Iterator[_Student]:
    course = regrade.exercise.course
    is_open = regrade.state == RegradeState.PREVIEW
    anew = regrade.gradings.filter(submission__is_counted=True)
    anew = anew.exclude(student__in=_by_hand(regrade).values("student"))
    anew = anew.select_related("student", "instead_of").defer("feedback", "instead_of__feedback")
    others = _in_force_beside(regrade)
    for student_id, gradings in groupby(anew.order_by("student_id", "submission_id"), key=_student_id):
        yield _Student(
            points=regrade.version.points,
            anew=list(gradings),
            others=others.get(student_id, []),
            keeps_better=course.keeps_better_score if is_open else regrade.keeps_better_score,
        )


def _by_hand(regrade: Regrade) -> QuerySet[Override]:
    """The scores by hand that stand in place of what is judged; of a regrade that is over, those that stood then."""
    of_exercise = Override.objects.filter(exercise=regrade.exercise_id, assignment=None)
    if regrade.finished_at is None:
        return of_exercise.filter(withdrawn_at=None)
    stood = Q(withdrawn_at=None) | Q(withdrawn_at__gt=regrade.finished_at)
    return of_exercise.filter(stood, at__lte=regrade.finished_at)


def _in_force_beside(regrade: Regrade) -> dict[int, list[Grading]]:
    """What is in force of submissions that the regrade has nothing to do with, by student."""
    concerned = regrade.gradings.values("submission_id")
    counted = Grading.objects.filter(submission__exercise=regrade.exercise, submission__is_counted=True)
    beside = counted.filter(in_force=True, state=State.GRADED)
    beside = beside.exclude(submission_id__in=concerned).defer("feedback").order_by("student_id", "submission_id")
    return {student_id: list(gradings) for student_id, gradings in groupby(beside, key=_student_id)}


def _with_cases(changes: Sequence[RegradeChange]) -> list[RegradeChange]:
    """The changes with the case of each that is judged differently."""
    ids = [change.decisive.pk for change in changes]
    ids += [change.decisive.instead_of.pk for change in changes if change.decisive.instead_of]
    verdicts = _verdicts_of_cases(ids)
    return [replace(change, case=_first_differing(change.decisive, verdicts)) for change in changes]


def _verdicts_of_cases(grading_ids: Sequence[int]) -> dict[int, dict[str, str]]:
    """By grading the verdict of each case, in order."""
    found: dict[int, dict[str, str]] = {}
    for start in range(0, len(grading_ids), IDS_AT_ONCE):
        results = CaseResult.objects.filter(grading__in=grading_ids[start : start + IDS_AT_ONCE])
        for grading_id, name, verdict in results.order_by("index").values_list("grading_id", "name", "verdict"):
            found.setdefault(grading_id, {}).setdefault(name, verdict)
    return found


def _first_differing(decisive: Grading, verdicts: dict[int, dict[str, str]]) -> str:
    """By name, since number and order may have changed; a case that is gone counts only where no other differs."""
    before = verdicts.get(decisive.instead_of.pk, {}) if decisive.instead_of else {}
    after = verdicts.get(decisive.pk, {})
    differing = [name for name, verdict in after.items() if before.get(name) != verdict]
    return next(iter([*differing, *(name for name in before if name not in after)]), "")


def _best(gradings: Iterable[Grading]) -> Grading | None:
    """The one with the largest share of its points, of equal ones the earliest: as `BestScore` has it."""
    scored = [grading for grading in gradings if grading.score is not None]
    return min(scored, key=lambda grading: (-share_of(grading), grading.submission_id), default=None)


def _share(grading: Grading | None) -> Decimal:
    return NO_SHARE if grading is None else share_of(grading)


def _standing(grading: Grading | None) -> tuple[Decimal, str]:
    return _share(grading), "" if grading is None else grading.verdict


def _student_id(grading: Grading) -> int:
    return grading.student_id
