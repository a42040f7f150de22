"""What staff say of a submission, at a line of it or of the whole."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.urls import reverse

from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import Comment, Notice, Submission, User
from exercises.services.notices import tell
from exercises.services.rights import require_staff

LONGEST_TEXT = 10_000


@transaction.atomic
def comment(submission: Submission, *, author: User, text: Any, line: Any = None) -> Comment:
    """A remark on the submission, at a line of its source (from 1) or of the whole; its student is told.

    While an earlier word of remarks on the same submission is unread they are not told again.

    Raises:
        NotAllowedError: the author is not staff of the course.
        InvalidFieldError: the text is empty or too long, or there is no such line.
    """
    require_staff(author, submission.exercise.course)
    if not isinstance(text, str) or "\0" in text or not text.strip() or len(text) > LONGEST_TEXT:
        raise InvalidFieldError("text", f"Write a text of at most {LONGEST_TEXT} characters.")
    made = Comment.objects.create(
        submission=submission, author=author, text=text.strip(), line=_checked_line(submission, line)
    )
    url = f"{reverse('learn:submission', args=(submission.pk,))}#comments"
    told = Notice.objects.filter(user=submission.student_id, url=url, read_at=None)
    if author.pk != submission.student_id and not told.exists():
        tell(submission.student_id, f"Staff commented on your submission of “{submission.version.title}”.", url=url)
    return made


def remove_comment(comment: Comment, *, author: User) -> None:
    """Take a remark back. Raises: NotAllowedError where it is another's."""
    if comment.author_id != author.pk:
        raise NotAllowedError("Only who wrote a comment takes it back.")
    comment.delete()


def _checked_line(submission: Submission, line: Any) -> int | None:
    if line in (None, ""):
        return None
    lines = len(submission.source.split("\n")) if submission.source else 0
    if type(line) is not int or not 0 < line <= lines:
        raise InvalidFieldError("line", f"The lines of this submission are 1 to {lines}.")
    return line
