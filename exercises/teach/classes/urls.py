"""How a class stands, and what its exercises tell. Part of `exercises.teach.urls`."""

from django.urls import path

from exercises.teach.classes import views

_COURSE = "teach/<slug:course>/"

urlpatterns = [
    path(_COURSE, views.class_overview, name="class"),
    path(f"{_COURSE}panel/", views.class_panel, name="class-panel"),
    path(f"{_COURSE}join-link/", views.make_join_link, name="join-link"),
    path(f"{_COURSE}matrix/", views.matrix, name="matrix"),
    path(f"{_COURSE}matrix/csv/", views.matrix_csv, name="matrix-csv"),
    path(f"{_COURSE}students/<int:student_id>/exercises/<slug:exercise>/", views.attempts, name="attempts"),
    path(f"{_COURSE}analysis/", views.course_analysis, name="analysis"),
    path(f"{_COURSE}analysis/<slug:exercise>/", views.exercise_analysis, name="exercise-analysis"),
]
