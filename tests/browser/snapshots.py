"""What is made in an empty database is made once in a process, and then put back as it was."""

import copy
import sqlite3

from django.db import connection

_snapshots = {}


def made_once(make):
    """What `make()` gives, with the database as it left it the first time; the database must be empty."""
    if connection.vendor != "sqlite":
        return make()
    connection.ensure_connection()
    if make not in _snapshots:
        made = make()
        _snapshots[make] = (made, _copied(connection.connection))
    else:
        _put_back(_snapshots[make][1], connection.connection)
    return copy.deepcopy(_snapshots[make][0])


def _copied(database):
    memory = sqlite3.connect(":memory:")
    try:
        database.backup(memory)
        return _without_log(memory.serialize())
    finally:
        memory.close()


def _without_log(data):
    """The same database with a rollback journal: one with a write-ahead log cannot be opened in memory.

    Source: SQLite, Database File Format, 1.3: the versions of the format for writing and for reading.
    """
    return data[:18] + b"\x01\x01" + data[20:]


def _put_back(data, database):
    memory = sqlite3.connect(":memory:")
    try:
        memory.deserialize(data)
        memory.backup(database)
    finally:
        memory.close()
