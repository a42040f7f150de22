from django.urls import URLPattern, URLResolver, include, path

from exercises.api import schemas
from quizsite import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("servez", health.servez, name="servez"),
    path("readyz", health.readyz, name="readyz"),
    path("api/v1/", include("exercises.api.urls")),
    path("schema/exercise.json", schemas.schema, {"name": "exercise"}, name="exercise-schema"),
    path("schema/course.json", schemas.schema, {"name": "course"}, name="course-schema"),
    path("account/", include("allauth.account.urls")),
    path("", include("exercises.learn.urls")),
    path("", include("exercises.teach.urls")),
    path("", include("exercises.teach.authoring.urls")),
]

handler500 = "quizsite.failures.server_error"
