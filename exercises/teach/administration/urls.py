"""What runs a course beside its exercises: grades and people. Part of `exercises.teach.urls`."""

from django.urls import path

from exercises.teach.administration import gradebook

_COURSE = "teach/<slug:course>/"

urlpatterns = [
    path(f"{_COURSE}gradebook/", gradebook.gradebook, name="gradebook"),
    path(f"{_COURSE}gradebook/csv/", gradebook.as_csv, name="gradebook-csv"),
    path(f"{_COURSE}gradebook/xlsx/", gradebook.as_xlsx, name="gradebook-xlsx"),
    path(f"{_COURSE}gradebook/rules/", gradebook.set_rules, name="grade-rules"),
]
