"""Tests on SQLite make their tables from the models, a site from the migrations: both must say the same."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_models_say_no_more_than_the_migrations():
    call_command("makemigrations", "exercises", "--check", "--dry-run", verbosity=0)
