"""The processes of the worker's pool."""

from __future__ import annotations

from celery.concurrency import prefork


class Pool(prefork.TaskPool):
    """Celery's. Its worker ends where a process of the pool does before all of them are there; any later is replaced.

    One that somebody killed, such as the kernel for memory, is replaced here from the first moment. One that ended by
    itself cannot start, and then the worker ends as before.
    """

    def did_start_ok(self) -> bool:
        """Whether no process of the pool has ended by itself."""
        return not any((process.exitcode or 0) > 0 for process in self._pool._pool)
