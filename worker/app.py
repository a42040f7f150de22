"""The Celery app. Messages only wake a worker: the rows of the database say what there is to do."""

import os
from typing import Any

from celery import Celery, bootsteps
from celery.signals import worker_process_init, worker_shutting_down

from worker import stopping
from worker.lifeline import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizsite.settings")

REPORT_SECONDS = 5.0


class Reports(bootsteps.StartStopStep):
    """Each worker reports its own runner, from its start on: a reminder of beat would reach one worker only.

    The worker's first process does so, though all of its pool may be busy. Each new connection to the broker starts
    the step again.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Any, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._entry: Any = None

    def start(self, consumer: Any) -> None:
        report = consumer.app.tasks["worker.tasks.report_runner"]
        # Whoever waits for the product to be ready should not wait for longer.
        report()
        self._entry = consumer.timer.call_repeatedly(REPORT_SECONDS, report)

    def stop(self, consumer: Any) -> None:
        if self._entry is not None:
            self._entry.cancel()
            self._entry = None


app = Celery("quizsite")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["worker"])
app.steps["consumer"].add(Reports)


@worker_process_init.connect
def leave_no_orphan(**_: Any) -> None:
    """A process of the pool ends with the worker: left alone, it would wait on its pipe for ever."""
    die_with_parent()


@worker_shutting_down.connect
def take_no_more(**_: Any) -> None:
    """A stop waits for what runs, not for all that waits: that stays in the database."""
    stopping.stop()
