from django.urls import include, path

from exercises.teach import assignments, conversations, operations, views

app_name = "teach"

urlpatterns = [
    path("operations/", operations.operations, name="operations"),
    path("operations/requeue/", operations.requeue, name="requeue"),
    path("", include("exercises.teach.administration.urls")),
    path("", include("exercises.teach.assistance.urls")),
    path("", include("exercises.teach.classes.urls")),
    path("teach/<slug:course>/assignments/", assignments.assignments, name="assignments"),
    path("teach/<slug:course>/new-assignment/", assignments.new_assignment, name="new-assignment"),
    path("teach/<slug:course>/assignments/<slug:assignment>/", assignments.assignment, name="assignment"),
    path("teach/<slug:course>/assignments/<slug:assignment>/extend/", assignments.extend, name="extend"),
    path("teach/<slug:course>/assignments/<slug:assignment>/release/", assignments.release, name="release"),
    path("teach/<slug:course>/students/<int:student_id>/extra-time/", assignments.extra_time, name="extra-time"),
    path("teach/<slug:course>/questions/", conversations.questions, name="questions"),
    path("teach/<slug:course>/questions/<int:question_id>/close/", conversations.close, name="close-question"),
    path("teach/<slug:course>/submissions/<int:submission_id>/review/", views.review, name="review"),
]
