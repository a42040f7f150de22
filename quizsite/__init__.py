"""The web door. Binding the Celery app here lets the web queue work by name."""

from worker.app import app as celery_app

__all__ = ["celery_app"]
