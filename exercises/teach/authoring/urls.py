from django.urls import path

from exercises.teach.authoring.views import (
    checks,
    courses,
    exercises,
    files,
    history,
    lessons,
    publishing,
    regrades,
    trials,
)

app_name = "authoring"

_COURSE = "author/courses/<slug:course>/"
_LESSON = f"{_COURSE}lessons/<slug:lesson>/"
_EXERCISE = f"{_COURSE}exercises/<slug:exercise>/"

urlpatterns = [
    path("author/", courses.home, name="home"),
    path("author/new-course/", courses.new_course, name="new-course"),
    path(_COURSE, courses.course, name="course"),
    path(f"{_COURSE}settings/", courses.settings, name="settings"),
    path(f"{_COURSE}record/", courses.record, name="record"),
    path(f"{_COURSE}join-links/", courses.join_links, name="join-links"),
    path(f"{_COURSE}join-links/<int:link_id>/revoke/", courses.revoke_join_link, name="revoke-join-link"),
    path(f"{_COURSE}files/", files.files, name="files"),
    path(f"{_COURSE}files/remove/", files.remove, name="remove-file"),
    path(f"{_COURSE}zip/", files.download, name="download"),
    path(f"{_COURSE}upload/", files.upload, name="upload"),
    path(f"{_COURSE}new-lesson/", lessons.new_lesson, name="new-lesson"),
    path(_LESSON, lessons.lesson, name="lesson"),
    path(f"{_LESSON}preview/", lessons.preview, name="lesson-preview"),
    path(f"{_LESSON}move/", lessons.move, name="move-lesson"),
    path(f"{_LESSON}retire/", lessons.retire, name="retire-lesson"),
    path(f"{_COURSE}new-exercise/", exercises.new_exercise, name="new-exercise"),
    path(_EXERCISE, exercises.exercise, name="exercise"),
    path(f"{_EXERCISE}preview/", exercises.preview, name="preview"),
    path(f"{_EXERCISE}duplicate/", exercises.duplicate, name="duplicate"),
    path(f"{_EXERCISE}move/", exercises.move, name="move-exercise"),
    path(f"{_EXERCISE}retire/", exercises.retire, name="retire-exercise"),
    path(f"{_EXERCISE}try/", trials.page, name="try"),
    path(f"{_EXERCISE}try/answer/", trials.answer, name="try-answer"),
    path(f"{_EXERCISE}try/run/", trials.run, name="try-run"),
    path(f"{_EXERCISE}check/", checks.check, name="check"),
    path(f"{_EXERCISE}check/panel/", checks.panel, name="check-panel"),
    path(f"{_EXERCISE}check/cancel/", checks.cancel, name="cancel-check"),
    path(f"{_EXERCISE}check/take/", checks.take_case, name="take-case"),
    path(f"{_EXERCISE}check/equivalent/", checks.mark_equivalent, name="mark-equivalent"),
    path(f"{_EXERCISE}publish/", publishing.publish, name="publish"),
    path(f"{_EXERCISE}unpublish/", publishing.unpublish, name="unpublish"),
    path(f"{_EXERCISE}attempts/", publishing.attempts, name="attempts"),
    path(f"{_EXERCISE}schedule/", publishing.schedule, name="schedule"),
    path(f"{_EXERCISE}schedule/cancel/", publishing.cancel_schedule, name="cancel-schedule"),
    path(f"{_EXERCISE}history/", history.history, name="history"),
    path(f"{_EXERCISE}history/restore/", history.restore, name="restore"),
    path(f"{_EXERCISE}regrade/", regrades.regrade, name="regrade"),
    path(f"{_EXERCISE}regrade/panel/", regrades.panel, name="regrade-panel"),
    path(f"{_EXERCISE}regrade/apply/", regrades.apply, name="apply-regrade"),
    path(f"{_EXERCISE}regrade/cancel/", regrades.cancel, name="cancel-regrade"),
]
