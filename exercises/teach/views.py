from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from exercises import services
from exercises.errors import ExerciseError
from exercises.learn.access import for_members, member
from exercises.learn.assessments import sent_points
from exercises.learn.refusals import refusal
from exercises.learn.views.submissions import judged
from exercises.models import Submission
from exercises.queries import submission_for
from exercises.teach.authoring.access import course_of_staff


@for_members
@require_POST
def review(request: HttpRequest, course: str, submission_id: int) -> HttpResponse:
    """Points for an explanation, by staff."""
    found = submission_for(member(request), submission_id)
    if found.exercise.course != course_of_staff(request, course):
        raise Submission.DoesNotExist(f"no submission {submission_id} in {course}")
    try:
        services.review(
            found,
            reviewer=member(request),
            points=sent_points(request.POST, found),
            comment=request.POST.get("comment", "").replace("\r\n", "\n"),
        )
    except ExerciseError as error:
        return refusal(request, error, back_url=reverse("learn:submission", args=(found.pk,)))
    return judged(request, found.pk)
