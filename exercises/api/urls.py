from django.urls import path, re_path
from drf_spectacular.views import SpectacularAPIView

from exercises.api import content, gradebook, views

app_name = "api"
urlpatterns = [
    path("token/", views.token, name="token"),
    path("token/own/", views.own_token, name="own-token"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("courses/", views.courses, name="courses"),
    path("courses/<slug:slug>/", views.course, name="course"),
    path("courses/<slug:slug>/content/", content.content, name="course-content"),
    path("courses/<slug:slug>/gradebook/", gradebook.gradebook, name="gradebook"),
    path("courses/<slug:slug>/gradebook.csv", gradebook.gradebook_csv, name="gradebook-csv"),
    path("exercises/<slug:course>/<slug:slug>/", views.exercise, name="exercise"),
    path("exercises/<slug:course>/<slug:slug>/submissions/", views.submissions, name="submissions"),
    path("exercises/<slug:course>/<slug:slug>/runs/", views.cases_runs, name="cases-runs"),
    path("submissions/<int:pk>/", views.submission, name="submission"),
    path("runs/", views.runs, name="runs"),
    path("runs/<int:pk>/", views.run, name="run"),
    path("progress/", views.own_progress, name="progress"),
    # Line ends too, which `path` does not match.
    re_path(r"^(?P<path>[\s\S]+)$", views.not_found, name="not-found"),
]
