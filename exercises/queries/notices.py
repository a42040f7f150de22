from django.db.models import QuerySet

from exercises.models import Notice, User


def inbox(user: User, *, before: int | None = None) -> QuerySet[Notice]:
    """What the user was told, the newest first; from `before` on only what is older than that one."""
    notices = Notice.objects.filter(user=user)
    return notices if before is None else notices.filter(pk__lt=before)


def unread_notices(user: User) -> int:
    """How many lines of the inbox the user has not seen yet. One query, along an index of these alone."""
    return Notice.objects.filter(user=user, read_at=None).count()
