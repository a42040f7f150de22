"""`python -m tests.chaos.apart`: `up`, but with pages and events as programs of their own, as in docker-compose.yml."""

import os
import sys

import django
from django.conf import settings
from django.core.management import call_command


def web(listening, hosts, *, processes=1):
    """Pages and API by gunicorn; in place of the server that serves events as well. One process more than asked for."""
    from quizsite import product  # noqa: PLC0415  (once the settings are there)

    options = ["--worker-class=gthread", f"--workers={processes + 1}", "--threads=8", "--no-control-socket"]
    command = [sys.executable, "-m", "gunicorn", "quizsite.wsgi", f"--bind=fd://{listening.fileno()}", *options]
    return [product._part("web", command, stage=2, descriptors=(listening.fileno(),))]


def events():
    """Events by uvicorn, on the port that EVENTS_PORT names."""
    from quizsite import product  # noqa: PLC0415

    where = ["--host=127.0.0.1", f"--port={os.environ['EVENTS_PORT']}", "--no-access-log"]
    command = [sys.executable, "-m", "uvicorn", "quizsite.events:application", *where, "--timeout-graceful-shutdown=3"]
    return product._part("events", command, stage=2)


def main():
    """Run until told to stop."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizsite.settings")
    django.setup()
    from quizsite import product  # noqa: PLC0415
    from quizsite.management.commands import up  # noqa: PLC0415

    class Apart(up.Command):
        def further_parts(self):
            return [events()]

    assert settings.IS_EMBEDDED
    product.web = web
    call_command(Apart())


if __name__ == "__main__":
    main()
