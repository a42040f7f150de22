"""Wakes the workers. Nothing depends on a message: what is to be done stands in the database, and the sweeper looks."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

WORK_TASK = "worker.tasks.work"
PREPARATION_TASK = "worker.tasks.prepare_cases"
SEND_SECONDS = 0.2
QUICKLY_OR_NOT_AT_ALL = {
    "max_retries": 0,
    "interval_start": 0,
    "socket_timeout": SEND_SECONDS,
    "socket_connect_timeout": SEND_SECONDS,
    "connect_retries_timeout": SEND_SECONDS,
}


def enqueue_work() -> None:
    """After commit, tell a worker that a row waits to be claimed."""
    transaction.on_commit(partial(_send, WORK_TASK), robust=True)


def enqueue_preparation(version_id: int) -> None:
    """After commit, have the cases of a version drawn before the first student needs them."""
    transaction.on_commit(partial(_send, PREPARATION_TASK, version_id), robust=True)


def _send(task: str, *arguments: Any) -> None:
    try:
        with _connection() as connection:
            current_app.send_task(task, arguments, connection=connection, retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("%s was not queued, the sweeper will find its row: %s", task, error)


def _connection() -> Any:
    options = {**current_app.conf.broker_transport_options, **QUICKLY_OR_NOT_AT_ALL}
    return current_app.connection_for_write(transport_options=options)
