from django.urls import path

from exercises.learn.views import (
    assignments,
    conversations,
    courses,
    exercise,
    grades,
    home,
    inbox,
    joining,
    lesson,
    own_data,
    progress,
    runs,
    solutions,
    submissions,
)

app_name = "learn"

_COURSE = "courses/<slug:course>/"
_ASSIGNMENT = f"{_COURSE}assignments/<slug:assignment>/"
_LESSON = f"{_COURSE}lessons/<slug:lesson>/"
_EXERCISE = f"{_COURSE}exercises/<slug:exercise>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("progress/", progress.progress, name="progress"),
    path("history/", progress.history, name="history"),
    path("reviews/", progress.reviews, name="reviews"),
    path("inbox/", inbox.inbox, name="inbox"),
    path("questions/", conversations.questions, name="questions"),
    path("questions/<int:question_id>/", conversations.question, name="question"),
    path("questions/<int:question_id>/reply/", conversations.reply, name="reply"),
    path("your-data/", own_data.own_data, name="own-data"),
    path("your-data/download/", own_data.download, name="download-own-data"),
    path("your-data/erase/", own_data.erase, name="erase-own-data"),
    path("search/", home.search, name="search"),
    path("playground/", runs.playground, name="playground"),
    path("playground/share/", runs.share, name="share"),
    path("playground/shared/<str:token>/", runs.shared, name="shared"),
    path("runs/<int:run_id>/", runs.run, name="run"),
    path("runs/<int:run_id>/panel/", runs.run_panel, name="run-panel"),
    path("runs/<int:run_id>/cancel/", runs.cancel_run, name="cancel-run"),
    path("submissions/<int:submission_id>/", submissions.submission, name="submission"),
    path("submissions/<int:submission_id>/panel/", submissions.submission_panel, name="submission-panel"),
    path("submissions/<int:submission_id>/withdraw/", submissions.withdraw, name="withdraw"),
    path("submissions/<int:submission_id>/assess/", submissions.assess, name="assess"),
    path("submissions/<int:submission_id>/ask/", conversations.ask_of_submission, name="ask-of-submission"),
    path("join/<str:token>/", joining.join, name="join"),
    path("sign-in/<str:token>/", joining.sign_in_link, name="sign-in-link"),
    path(_COURSE, courses.course, name="course"),
    path(f"{_COURSE}grade/", grades.grade, name="grade"),
    path(f"{_COURSE}enrol/", joining.enrol, name="enrol"),
    path(f"{_COURSE}assets/<path:name>", courses.asset, name="asset"),
    path(_ASSIGNMENT, assignments.assignment, name="assignment"),
    path(f"{_ASSIGNMENT}start/", assignments.start, name="start-assignment"),
    path(f"{_ASSIGNMENT}finish/", assignments.finish, name="finish-assignment"),
    path(_LESSON, lesson.lesson, name="lesson"),
    path(f"{_LESSON}run/", lesson.run_snippet, name="run-snippet"),
    path(f"{_LESSON}ask/", conversations.ask_of_lesson, name="ask-of-lesson"),
    path(_EXERCISE, exercise.exercise, name="exercise"),
    path(f"{_EXERCISE}submit/", exercise.submit, name="submit"),
    path(f"{_EXERCISE}run/", exercise.run_cases, name="run-cases"),
    path(f"{_EXERCISE}preview/", exercise.preview, name="preview"),
    path(f"{_EXERCISE}draft/", exercise.draft, name="draft"),
    path(f"{_EXERCISE}ask/", conversations.ask_of_exercise, name="ask-of-exercise"),
    path(f"{_EXERCISE}solution/", solutions.solution, name="solution"),
    path(f"{_EXERCISE}give-up/", solutions.give_up, name="give-up"),
    path(f"{_EXERCISE}review/", progress.review, name="review"),
    path(f"{_EXERCISE}review/submit/", progress.submit_review, name="submit-review"),
    path(f"{_EXERCISE}hints/<int:number>/", exercise.hint, name="hint"),
]
