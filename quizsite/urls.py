from allauth.account import urls as account_urls
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from exercises.api import schemas
from quizsite import health, metrics

# No page of those that write to an address: there is no mail.
ACCOUNT_PAGES = frozenset(
    f"account_{page}"
    for page in ("login", "logout", "inactive", "signup", "reauthenticate", "change_password", "set_password")
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("servez", health.servez, name="servez"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("api/v1/", include("exercises.api.urls")),
    path("schema/exercise.json", schemas.schema, {"name": "exercise"}, name="exercise-schema"),
    path("schema/course.json", schemas.schema, {"name": "course"}, name="course-schema"),
    path("account/", include([page for page in account_urls.urlpatterns if page.name in ACCOUNT_PAGES])),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("", include("exercises.learn.urls")),
    path("", include("exercises.teach.urls")),
    path("", include("exercises.teach.authoring.urls")),
]

if settings.OIDC_ISSUER:
    urlpatterns.append(path("account/", include("allauth.socialaccount.providers.openid_connect.urls")))

handler500 = "quizsite.failures.server_error"
