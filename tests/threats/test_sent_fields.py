"""Every field of every model sent to every address that writes: what changes stands in sent_fields.txt, and no more.

Ids among them are those of another course. A line that the file lacks is a field that has become writable: is it meant?
"""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.test import Client
from django.urls import reverse

from exercises.api import bodies
from tests.access import World, routes, table

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).with_name("sent_fields.txt")
MODELS = [model for model in apps.get_app_config("exercises").get_models() if not model._meta.proxy]
# A moment long ago, a number that no exercise gives, a word that stands nowhere else.
MOMENT, NUMBER, WORD = "2001-01-01T00:00", "91827", "forged-word"
ROLES = ("student", "instructor")
# What they would do is end the session or the account.
LEFT_OUT = {"account_logout", "learn:erase-own-data"}


def writes():
    """The addresses that take a POST, with the names in them."""
    arguments = dict(routes())
    for route, rows in table().items():
        if not LEFT_OUT & {route} and (("POST", "home") in rows or ("POST", "-") in rows):
            yield route, arguments[route]


def forged(world):
    """A value for each name of a field, of a kind that the field takes; ids are those of the foreign course."""
    sent = {}
    for model in MODELS:
        for field in model._meta.concrete_fields:
            value = _value(world, field)
            sent.setdefault(field.name, value)
            sent.setdefault(field.attname, value)
    return sent


def _value(world, field):
    if isinstance(field, models.ForeignKey | models.OneToOneField):
        return str(_foreign_id(world, field.related_model))
    if isinstance(field, models.DateTimeField):
        return MOMENT
    if isinstance(field, models.BooleanField):
        return "on"
    if isinstance(field, models.DecimalField | models.FloatField | models.IntegerField):
        return NUMBER
    return field.choices[-1][0] if field.choices else WORD


def _foreign_id(world, model):
    names = {"User": "student", "ExerciseVersion": "version"}
    found = getattr(world.foreign, names.get(model.__name__, model.__name__.lower()), None)
    return found.pk if found is not None else NUMBER


def rows():
    """All rows of ours by table and id."""
    found = {}
    with connection.cursor() as cursor:
        for model in MODELS:
            columns = [field.column for field in model._meta.concrete_fields]
            cursor.execute(
                f"SELECT {', '.join(f'{chr(34)}{name}{chr(34)}' for name in columns)} FROM {model._meta.db_table}"
            )
            found[model] = {row[0]: dict(zip(columns, row, strict=True)) for row in cursor.fetchall()}
    return found


def changes(before, after):
    """`(model, id, column)` of each row that was there; column `+` for one that is new, `-` for one that is gone."""
    for model in MODELS:
        for key in before[model].keys() | after[model].keys():
            old, new = before[model].get(key), after[model].get(key)
            if old is None or new is None:
                yield model, key, "+" if old is None else "-"
            else:
                yield from ((model, key, name) for name in old if old[name] != new[name])


def send(world, role, address, fields, *, before):
    """The status of a POST of the fields, all rows after it, and what it changed; it is undone."""
    client = Client(raise_request_exception=False)
    media_type = {"content_type": "application/json"} if address.startswith("/api/") else {}
    with transaction.atomic():
        client.force_login(world.people[role])
        status = client.post(address, fields, **media_type).status_code
        after = rows()
        transaction.set_rollback(True)
    # That one signed in is the test's own doing.
    return status, after, [change for change in changes(before, after) if change[2] != "last_login"]


def valid(world, route):
    """What makes the forged fields pass where else something that they must say would be missing."""
    exercise = world.home.exercise
    dates = {"opens_at": "2001-01-01T00:00", "due_at": "2001-01-02T00:00", "closes_at": "2001-01-03T00:00"}
    numbers = {"grace_minutes": "1", "late_percent_per_day": "5", "max_attempts": "3", "minutes": "", "weight": "2"}
    assignment = {**dates, **numbers, f"points-{exercise.pk}": "4", "is_quiz": ""}
    return {
        "learn:submit": {"version": "1", "assignment": ""},
        "learn:draft": {"revision": "0"},
        "learn:run-snippet": {"snippet": "0"},
        "learn:run-cases": {"version": "1"},
        "teach:new-assignment": assignment,
        "teach:assignment": assignment,
        "teach:override": {"place": exercise.slug, "score": "1"},
        "teach:comment": {"line": "1"},
        "teach:member": {"external_id": "", "role": "student"},
        "authoring:attempts": {"max_attempts": "3"},
        "authoring:settings": {"time_zone": "UTC", "required_score": "0.5", "dropped_lowest": "1"},
        "authoring:new-course": {"time_zone": "UTC", "required_score": "0.5", "dropped_lowest": "1"},
    }.get(route, {})


def address_of(furniture, route, arguments):
    values = furniture.arguments(route)
    return reverse(route, kwargs={name: values[name] for name in arguments})


def written(role):
    """What each address lets this role change, as lines; and what of that belongs to the other course."""
    world = World()
    fields, theirs = forged(world), _ids_of(world.foreign)
    addresses = {route: address_of(world.home, route, arguments) for route, arguments in writes()}
    lines, foreign, before = [], [], rows()
    for route, address in addresses.items():
        sent = {**fields, **valid(world, route)}
        status, after, found = send(world, role, address, sent, before=before)
        assert status < 500, route
        changed = {(model, name) for model, _, name in found} | set(_forged_in_new_rows(after, found))
        lines += sorted(f"{route} {role} {model.__name__}.{name}" for model, name in changed)
        foreign += [(route, model.__name__, key, name) for model, key, name in found if key in theirs.get(model, ())]
        foreign += [(route, *leak) for leak in _led_astray(after, found, theirs)]
    return lines, foreign


def _ids_of(furniture):
    """The rows of a course that others could name, by model."""
    things = [value for value in vars(furniture).values() if isinstance(value, models.Model)]
    found = {}
    for thing in things:
        found.setdefault(type(thing), set()).add(thing.pk)
    return found


def _forged_in_new_rows(after, found):
    """The columns of new rows that say what was forged."""
    for model, key, name in found:
        if name == "+":
            texts = {column: str(value) for column, value in after[model][key].items()}
            yield from ((model, column) for column, text in texts.items() if _is_forged(text))


def _is_forged(text):
    # Numbers as a whole: moments and hashes hold any digits.
    return WORD in text or MOMENT.replace("T", " ") in text or text.partition(".")[0] == NUMBER


def _led_astray(after, found, theirs):
    """References to rows of the other course that were written."""
    for model, key, name in found:
        for field in model._meta.concrete_fields:
            named = after[model].get(key, {}).get(field.column)
            if name in {"+", field.column} and named in theirs.get(field.related_model, ()):
                yield model.__name__, key, field.column


@pytest.mark.parametrize("role", ROLES)
def test_no_field_is_written_but_those_of_the_table(role):
    lines, foreign = written(role)
    wanted = [line for line in TABLE.read_text().splitlines() if line.split()[1] == role]

    assert foreign == []
    assert lines == wanted, "Is this what sent_fields.txt should say?\n" + "\n".join(lines)


def test_field_that_is_meant_is_written():
    """The twin: what a hand-in may say is stored, and nothing of what it may not say beside it."""
    world = World()
    address = address_of(world.home, "learn:submit", dict(routes())["learn:submit"])

    sent = {"source": "honest", "score": NUMBER, "created_at": MOMENT}
    _, after, found = send(world, "student", address, sent, before=rows())

    [submission] = [key for model, key, name in found if model.__name__ == "Submission" and name == "+"]
    row = next(rows_of[submission] for model, rows_of in after.items() if model.__name__ == "Submission")
    assert (row["source"], row["student_id"]) == ("honest", world.home.student.pk)
    assert MOMENT[:4] not in str(row["created_at"])
    assert not [name for _, _, name in found if name in {"score", "best_score"}]


def test_bodies_of_the_api_have_these_fields():
    fields = {name: set(body().fields) for name, body in vars(bodies).items() if name.endswith("Body")}

    assert fields == {
        "TokenBody": {"username", "password"},
        "SubmissionBody": {"source", "response", "version", "assignment"},
        "CasesRunBody": {"source"},
        "RunBody": {"source", "lesson", "snippet", "course"},
    }
