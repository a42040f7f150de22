"""The tables of a new site, made at once."""

from __future__ import annotations

from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def make_tables() -> bool:
    """Make what all migrations together would have made; nothing, and false, where there are tables already.

    Going through every table's past takes seconds, this a moment. One transaction: all of it or nothing. On SQLite
    alone: on a server somebody else could be at it, and migrations wait for each other.
    """
    if connection.vendor != "sqlite" or connection.introspection.table_names():
        return False
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    with connection.schema_editor() as editor:
        editor.create_model(executor.recorder.Migration)
        for model in apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        for migration, _ in plan:
            executor.record_migration(migration)  # type: ignore[call-arg, arg-type]  # the stubs have what Django 1 took
    return True
