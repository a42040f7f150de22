from django.urls import path

from exercises.teach import conversations, views

app_name = "teach"

urlpatterns = [
    path("teach/<slug:course>/", views.class_overview, name="class"),
    path("teach/<slug:course>/join-link/", views.make_join_link, name="join-link"),
    path("teach/<slug:course>/questions/", conversations.questions, name="questions"),
    path("teach/<slug:course>/questions/<int:question_id>/close/", conversations.close, name="close-question"),
    path("teach/<slug:course>/submissions/<int:submission_id>/review/", views.review, name="review"),
    path("teach/<slug:course>/students/<int:student_id>/", views.student_overview, name="student"),
]
