"""What staff said of a submission, ready for a page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from exercises.learn.prose import student_text
from exercises.models import Submission, User
from exercises.queries.comments import comments_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentView:
    """A remark; `quoted` is the line of the submission that it is about. Without `author` its author has left."""

    id: int
    line: int | None
    quoted: str
    author: str
    at: datetime
    html: SafeString
    is_mine: bool


def comment_views(submission: Submission, viewer: User) -> list[CommentView]:
    """The remarks on the submission, of the whole first, then line by line. One query."""
    lines = submission.source.split("\n")
    return [
        CommentView(
            id=said.pk,
            line=said.line,
            quoted=lines[said.line - 1] if said.line and said.line <= len(lines) else "",
            author=str(said.author or ""),
            at=said.created_at,
            html=student_text(said.text),
            is_mine=said.author_id == viewer.pk,
        )
        for said in comments_of(submission)
    ]
