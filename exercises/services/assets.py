from __future__ import annotations

from django.db import transaction

from exercises.choices import AuditAction
from exercises.content.assets import read_assets
from exercises.content.files import FileTree
from exercises.errors import InvalidFieldError
from exercises.models import Asset, Course, User
from exercises.services.audit import record_action
from exercises.services.rights import require_instructor


@transaction.atomic
def add_asset(course: Course, path: str, *, content: bytes, author: User) -> Asset:
    """Keep a picture or a small data file of the course; one with the same name gives way.

    Raises:
        NotAllowedError: the author is no instructor of the course.
        InvalidFieldError: name, type or size is none that a course takes; or there is too much with it.
    """
    require_instructor(author, course)
    Course.objects.select_for_update(no_key=True).values_list("pk").get(pk=course.pk)
    others = {asset.path: bytes(asset.content) for asset in course.assets.all()}
    tree = FileTree.of({**others, path: content})
    assets, problems = read_assets(tree)
    if not tree.has_file(path):
        raise InvalidFieldError("asset", f"{path[:100]!r} is no name for a file of a course.")
    if problems:
        raise InvalidFieldError("asset", f"{problems[0].file}: {problems[0].message}.")
    found = next(asset for asset in assets if asset.path == path)
    fields = {"media_type": found.media_type, "digest": found.digest, "content": found.content}
    kept, _ = Asset.objects.update_or_create(course=course, path=path, defaults=fields)
    record_action(course, AuditAction.ASSET_ADDED, actor=author, target=path)
    return kept


@transaction.atomic
def remove_asset(asset: Asset, *, author: User) -> None:
    """Take a file out of the course. Raises: NotAllowedError where the author is no instructor of the course."""
    require_instructor(author, asset.course)
    record_action(asset.course, AuditAction.ASSET_REMOVED, actor=author, target=asset.path)
    asset.delete()
