"""`python -m tests.released.look`: what a site holds once it is brought back, as JSON; in a process of its settings."""

import json
import sys

import django

FIRST = "0001_initial"


def main():
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415  (the site is set up by now)

    from tests.released import filling  # noqa: PLC0415

    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    found = {"rows": filling.rows(), "pages": pages(), "waiting": waiting()}
    check_keys()
    if "--back" in sys.argv:
        call_command("migrate", "exercises", FIRST, verbosity=0)
        call_command("migrate", "exercises", verbosity=0)
        found["rows_after"] = filling.rows()
    sys.stdout.write(json.dumps(found) + "\n")


def check_keys():
    """Raises: IntegrityError where a row points to one that is not there."""
    from django.db import connection, transaction  # noqa: PLC0415

    with transaction.atomic():
        connection.check_constraints()


def pages():
    """How the site answers for what a student has handed in, with what each page must hold."""
    from django.conf import settings  # noqa: PLC0415
    from django.test import Client, override_settings  # noqa: PLC0415
    from django.urls import reverse  # noqa: PLC0415

    from exercises.models import User  # noqa: PLC0415

    ada = User.objects.get(username="ada")
    client = Client(headers={"host": "localhost"})
    client.force_login(ada)
    graded = ada.submissions.filter(gradings__verdict="accepted").get()
    # Nothing collected the static files here, and no page is looked at.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}):
        page = client.get(reverse("learn:submission", args=[graded.pk]))
    return {"status": page.status_code, "is_accepted": "All cases are right." in page.content.decode()}


def waiting():
    """Who handed in what a worker would take up next, and that it was taken."""
    from exercises.models import Grading  # noqa: PLC0415
    from exercises.services import claim_next  # noqa: PLC0415

    claim = claim_next("looking")
    return None if claim is None else Grading.objects.get(pk=claim.id).submission.student.username


if __name__ == "__main__":
    main()
