"""How far an exercise is: whether its working copy is sound, and what of it students meet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from exercises.choices import Kind, State
from exercises.learn.marks import Mark
from exercises.models import Certificate, Check, Course, Exercise, Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """`soundness` is of the head; `publication` says what students meet, `beside` how the head differs from it."""

    slug: str
    title: str
    kind: str
    revision: int
    soundness: Mark
    publication: Mark
    beside: str
    url: str
    check_url: str
    is_retired: bool


def standing(
    exercise: Exercise, head: Revision | None, *, check: Check | None, certificate: Certificate | None
) -> Standing:
    """Of one exercise with its head, its latest check, and the certificate of the head."""
    return _standing(exercise, head, check, certificate)


def standings(course: Course) -> list[Standing]:
    """Of all exercises of a course, in their order; those put away too."""
    heads = Revision.objects.filter(exercise=OuterRef("pk"), is_set_aside=False).order_by("-number")
    checks = Check.objects.filter(exercise=OuterRef("pk")).exclude(state=State.SUPERSEDED).order_by("-pk")
    found = course.exercises.select_related("published", "scheduled_version").annotate(
        head_id=Subquery(heads.values("pk")[:1]), check_id=Subquery(checks.values("pk")[:1])
    )
    rows = list(found.defer("published__definition", "scheduled_version__definition"))
    head_by_id = Revision.objects.defer("files").in_bulk([row.head_id for row in rows])
    check_by_id = (
        Check.objects.select_related("revision").defer("revision__files").in_bulk([row.check_id for row in rows])
    )
    certificates = {
        (item.exercise_id, item.grading_hash): item
        for item in Certificate.objects.filter(exercise__course=course).defer("report")
    }
    standing_rows = []
    for row in rows:
        row.course = course
        head = head_by_id.get(row.head_id)
        certificate = certificates.get((row.pk, head.grading_hash)) if head and head.grading_hash else None
        standing_rows.append(_standing(row, head, check_by_id.get(row.check_id), certificate))
    return standing_rows


def local_time(course: Course, moment: datetime) -> str:
    """A moment on the course's clock."""
    return f"{moment.astimezone(ZoneInfo(course.time_zone)):%Y-%m-%d %H:%M} ({course.time_zone})"


def _standing(
    exercise: Exercise, head: Revision | None, check: Check | None, certificate: Certificate | None
) -> Standing:
    where = (exercise.course.slug, exercise.slug)
    version = exercise.published
    kind = (head.kind if head else "") or (version.kind if version else "")
    return Standing(
        slug=exercise.slug,
        title=(head.title if head else "") or (version.title if version else "") or exercise.slug,
        kind=str(Kind(kind).label) if kind else "",
        revision=head.number if head else 0,
        soundness=_soundness(exercise.course, head, check, certificate),
        publication=_publication(exercise),
        beside=_beside(exercise, head),
        url=reverse("authoring:exercise", args=where),
        check_url=reverse("authoring:check", args=where),
        is_retired=exercise.is_retired,
    )


def _soundness(course: Course, head: Revision | None, check: Check | None, certificate: Certificate | None) -> Mark:
    is_of_head = check is not None and head is not None and check.revision_id == head.pk
    if check is not None and is_of_head and check.is_open:
        return Mark(word=_("Checking"), icon="play")
    if head is not None and not head.is_readable:
        return Mark(word=_("Not readable yet"), icon="warn", tone="warn")
    if certificate is not None:
        return _certified(course, certificate, is_proven=check is not None and is_of_head and check.is_sound)
    if check is None or head is None or not _is_about(check, head):
        return Mark(word=_("Unchecked"), icon="ring")
    if check.state == State.FAILED:
        return Mark(word=_("The check failed: our fault"), icon="wrench", tone="ours")
    return Mark(word=_not_sound(check), icon="cross", tone="bad")


def _is_about(check: Check, head: Revision) -> bool:
    """Whether what the check found holds for the head as well: it judges alike."""
    return check.revision_id == head.pk or check.revision.content_hash == head.content_hash


def _certified(course: Course, certificate: Certificate, *, is_proven: bool) -> Mark:
    score = certificate.mutation_score
    if score is None:
        return Mark(word=_("Sound"), icon="check", tone="good")
    if score < course.required_score and not is_proven:
        words = _("Mutation score %(score)s of %(required)s") % {
            "score": f"{score:.2f}",
            "required": f"{course.required_score:g}",
        }
        return Mark(word=words, icon="half", tone="warn")
    return Mark(word=_("Sound, %(score)s") % {"score": f"{score:.2f}"}, icon="check", tone="good")


def _not_sound(check: Check) -> str:
    findings = (check.report or {}).get("findings", [])
    count = sum(finding["level"] == "problem" for finding in findings)
    return ngettext("Not sound: %(count)d problem", "Not sound: %(count)d problems", count) % {"count": count}


def _publication(exercise: Exercise) -> Mark:
    if exercise.is_retired:
        return Mark(word=_("Put away"), icon="dash")
    if exercise.scheduled_at is not None and exercise.scheduled_version is not None:
        words = _("Version %(number)d comes %(time)s") % {
            "number": exercise.scheduled_version.number,
            "time": local_time(exercise.course, exercise.scheduled_at),
        }
        return Mark(word=words, icon="clock")
    if exercise.published is None:
        return Mark(word=_("Not published"), icon="ring")
    return Mark(word=_("Version %(number)d is published") % {"number": exercise.published.number}, icon="open")


def _beside(exercise: Exercise, head: Revision | None) -> str:
    version = exercise.published
    if version is None or head is None or head.content_hash == version.content_hash:
        return ""
    if head.grading_hash == version.grading_hash:
        return _("the working copy is ahead of it, and judges alike")
    return _("the working copy is ahead of it")
