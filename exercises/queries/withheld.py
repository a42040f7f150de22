"""Which outcomes a person does not see yet: the one place where that is decided.

Pages, the API, lists, notices and a person's copy of their data ask here, so that what an assignment holds back is held
back everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from exercises.choices import STAFF_ROLES, Shown, State
from exercises.models import Assignment, Grading, Membership, Submission, User
from exercises.queries.windows import Window, windows_of
from graders.outcomes import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """What one person does not see yet of what they handed in.

    `assignments` are the ids of those that do not show what was judged, `exercises` those that they hold. `since` says
    by exercise from when on hand-ins beside the assignment are not shown either, practice among them: else the same
    text, handed in once more, would tell.
    """

    assignments: frozenset[int] = frozenset()
    exercises: frozenset[int] = frozenset()
    since: Mapping[int, datetime] = field(default_factory=dict)

    def hides(self, grading: Grading) -> bool:
        """Whether what was judged is not shown. That nothing was judged, by us or since it was replaced, is."""
        if grading.state == State.SUPERSEDED or grading.verdict == Verdict.INTERNAL_ERROR:
            return False
        handed_in = grading.submission
        if handed_in.assignment_id in self.assignments:
            return True
        since = self.since.get(handed_in.exercise_id)
        return since is not None and since <= handed_in.created_at


NOTHING_WITHHELD = Withheld()


def withheld_from(viewer: User) -> Withheld:
    """What is withheld from the viewer; nothing of courses where they are staff. One query where nothing is."""
    found = list(_withholding(viewer).select_related("course").prefetch_related("items"))
    if not found:
        return NOTHING_WITHHELD
    now, windows = timezone.now(), windows_of(found, viewer)
    standing = [(row, windows[row.pk]) for row in found if not is_shown(row.outcomes_shown, row, windows[row.pk])]
    since: dict[int, datetime] = {}
    for assignment, window in standing:
        if begun := _begun(assignment, window, now):
            since.update({pk: min(begun, since.get(pk, begun)) for pk in _exercises(assignment)})
    return Withheld(
        assignments=frozenset(assignment.pk for assignment, _window in standing),
        exercises=frozenset(pk for assignment, _window in standing for pk in _exercises(assignment)),
        since=since,
    )


def withheld_gradings(student: User, withheld: Withheld) -> list[Grading]:
    """The gradings in force of the student that they do not see, with their submissions; no query where none can be."""
    if not withheld.assignments:
        return []
    mine = Grading.objects.filter(student=student, in_force=True)
    touched = mine.filter(
        Q(submission__exercise__in=withheld.exercises) | Q(submission__assignment__in=withheld.assignments)
    )
    found = touched.select_related("submission").defer("feedback", "submission__source", "submission__response")
    return [grading for grading in found if withheld.hides(grading)]


def is_shown(shown: str, assignment: Assignment, window: Window) -> bool:
    """Whether what the assignment shows then (`Shown`) is shown by now to the student whose dates these are."""
    if shown == Shown.CLOSED:
        # One that never closes would never show anything.
        return window.closes_at is None or window.is_closed(timezone.now())
    if shown == Shown.RELEASED:
        return assignment.released_at is not None
    return shown == Shown.AT_ONCE


def _withholding(viewer: User) -> QuerySet[Assignment]:
    """The assignments that may not show everything, of courses where the viewer is a student or has handed in."""
    mine = Membership.objects.filter(course=OuterRef("course"), user=viewer)
    handed_in = Submission.objects.filter(assignment=OuterRef("pk"), student=viewer)
    met = Q(Exists(mine)) | Q(Exists(handed_in))
    found = Assignment.objects.filter(met, ~Exists(mine.filter(role__in=STAFF_ROLES)))
    return found.exclude(outcomes_shown=Shown.AT_ONCE).exclude(outcomes_shown=Shown.RELEASED, released_at__isnull=False)


def _exercises(assignment: Assignment) -> set[int]:
    return {item.exercise_id for item in assignment.items.all()}


def _begun(assignment: Assignment, window: Window, now: datetime) -> datetime | None:
    """From when on the student may know what is asked: None where that is not yet so."""
    if assignment.is_hidden or not window.has_opened(now):
        return None
    if window.needs_start and window.started_at is None:
        return window.closes_at if window.is_closed(now) else None
    return window.started_at if window.needs_start else window.opens_at or assignment.created_at
