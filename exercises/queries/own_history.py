from django.db.models import Prefetch, QuerySet

from exercises.models import Grading, Submission, User


def own_history(student: User, *, before: int | None = None) -> QuerySet[Submission]:
    """All that the student handed in, in any course, the newest first; from `before` on only what is older.

    Two queries, whatever their number: `grading`, `version` and `exercise.course` of each cost no further one.
    """
    mine = Submission.objects.filter(student=student).select_related("exercise__course", "version")
    shown = mine if before is None else mine.filter(pk__lt=before)
    in_force = Grading.objects.filter(in_force=True).defer("feedback")
    rows = shown.defer("source", "response", "version__definition")
    return rows.prefetch_related(Prefetch("gradings", in_force)).order_by("-pk")
