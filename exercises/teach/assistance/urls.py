from django.urls import path

from exercises.teach import conversations
from exercises.teach.assistance import reviews, students, submissions

_COURSE = "teach/<slug:course>/"
_SUBMISSION = f"{_COURSE}submissions/<int:submission_id>/"

_STUDENT = f"{_COURSE}students/<int:student_id>/"

_READING = f"{_COURSE}reviews/<slug:exercise>/"

urlpatterns = [
    path(f"{_COURSE}reviews/", reviews.queues, name="review-queues"),
    path(f"{_COURSE}reviews-undo/", reviews.undo, name="undo-reviews"),
    path(_READING, reviews.queue, name="review-queue"),
    path(f"{_READING}<int:submission_id>/", reviews.answer, name="read-answer"),
    path(f"{_READING}<int:submission_id>/alike/", reviews.alike, name="read-alike"),
    path(f"{_SUBMISSION}stand/", reviews.stand, name="put-review-in-force"),
    path(f"{_COURSE}announce/", conversations.announcement, name="announce"),
    path(_STUDENT, students.student, name="student"),
    path(f"{_STUDENT}override/", students.override, name="override"),
    path(f"{_STUDENT}grant/", students.grant, name="grant"),
    path(f"{_COURSE}overrides/<int:override_id>/withdraw/", students.withdraw, name="withdraw-override"),
    path(f"{_COURSE}grants/", students.grants, name="grants"),
    path(f"{_COURSE}receipt/", submissions.by_receipt, name="receipt"),
    path(_SUBMISSION, submissions.submission, name="submission"),
    path(f"{_SUBMISSION}zip/", submissions.download, name="submission-zip"),
    path(f"{_SUBMISSION}run/", submissions.run, name="run-copy"),
    path(f"{_SUBMISSION}regrade/", submissions.regrade, name="regrade-submission"),
    path(f"{_SUBMISSION}regrade/apply/", submissions.apply_regrade, name="apply-submission-regrade"),
    path(f"{_SUBMISSION}attempt/", submissions.give_back, name="give-attempt-back"),
    path(f"{_SUBMISSION}comment/", submissions.comment, name="comment"),
    path(f"{_COURSE}comments/<int:comment_id>/remove/", submissions.uncomment, name="uncomment"),
    path(f"{_COURSE}staff-runs/<int:run_id>/", submissions.staff_run, name="staff-run"),
]
