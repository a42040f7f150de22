from collections.abc import Iterable

from django.utils import timezone

from exercises.models import Notice


def tell(user_id: int, text: str, *, url: str = "") -> Notice:
    """A new line in a person's inbox; `url` is the page that it is about."""
    return Notice.objects.create(user_id=user_id, text=text, url=url)


def mark_read(notices: Iterable[Notice]) -> None:
    """Count these as read from now on; those that were read before keep their time."""
    unread = [notice.pk for notice in notices if notice.read_at is None]
    if unread:
        Notice.objects.filter(pk__in=unread, read_at=None).update(read_at=timezone.now())
