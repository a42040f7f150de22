"""The site's addresses where a university's provider is set."""

from django.urls import include, path

from quizsite.urls import urlpatterns as site

urlpatterns = [*site, path("account/", include("allauth.socialaccount.providers.openid_connect.urls"))]
