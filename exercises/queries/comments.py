from django.db.models import QuerySet

from exercises.models import Comment, Course, Submission


def comments_of(submission: Submission) -> list[Comment]:
    """What was said of the submission: of the whole first, then line by line."""
    said = Comment.objects.filter(submission=submission).select_related("author")
    return sorted(said, key=_place)


def comments_in(course: Course) -> QuerySet[Comment]:
    """What was said of submissions to the course."""
    return Comment.objects.filter(submission__exercise__course=course).select_related("submission__exercise__course")


def _place(comment: Comment) -> tuple[int, int]:
    return comment.line or 0, comment.pk
