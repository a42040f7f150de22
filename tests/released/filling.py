"""Fills a site so that no table of ours is empty: a class at work, what factories make, and one row of all else."""

from datetime import UTC, datetime

from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import models
from knox.models import AuthToken

from exercises.choices import Role, State
from exercises.made_classes import make_class
from exercises.made_classes.sizes import ClassSize
from exercises.models import User
from exercises.services import RunFacts, claim_next, record_outcome, submit
from tests.factories import (
    make_assignment,
    make_case,
    make_check,
    make_course,
    make_exercise,
    make_member,
    make_outcome,
)

MOMENT = datetime(2026, 11, 2, 10, tzinfo=UTC)
CLASS = ClassSize(slug="class", until=MOMENT, students=6, exercises=12, submissions=40, seed=1)
CODE = "import torch\n\n\ndef double(x):\n    return 2 * x\n"
# What a field of this name holds where any value of its type would not do.
SPECIAL = {"line": 1, "score": 1, "max_score": 1, "minutes": None, "external_id": ""}

# What nobody waits for: the submission alone is to be claimed.
SETTLED = {"Run": {"state": State.FINISHED}}


def fill():
    """Make all of it; the grading of the newest submission waits."""
    make_class(CLASS)
    course = make_course(slug="released", title="Of a release")
    ada, exercise = make_member(course, username="ada", email="ada@example.org"), make_exercise(course, slug="double")
    make_member(course, Role.INSTRUCTOR, username="grace")
    make_assignment(exercise, slug="week-1", title="Week 1")
    graded = submit(ada, exercise, source=CODE, idempotency_key="once")
    claim = claim_next("filling")
    assert claim.id == graded.grading.pk
    record_outcome(claim, make_outcome(cases=(make_case(),)), facts=RunFacts())
    make_check()
    EmailAddress.objects.create(user=ada, email=ada.email, verified=True, primary=True)
    AuthToken.objects.create(user=ada)
    for model in apps.get_app_config("exercises").get_models():
        _ensure_row(model)
    submit(ada, exercise, source=CODE.replace("2 * x", "x + x"))


def rows():
    """How many rows each table holds that is ours or has people in it."""
    counted = [*apps.get_app_config("exercises").get_models(), EmailAddress, AuthToken]
    return {model._meta.label: model._default_manager.count() for model in counted}


def _ensure_row(model):
    """One row with something in every field that must hold something; a first row of what it points to is made too."""
    found = model._default_manager.order_by("pk").first()
    if found is not None:
        return found
    values = {field.name: _value(field) for field in model._meta.concrete_fields if _is_needed(field)}
    return model._default_manager.create(**values, **SETTLED.get(model.__name__, {}))


def _is_needed(field):
    return not (field.primary_key or field.null or field.has_default() or getattr(field, "auto_now_add", False))


def _value(field):
    if field.name in SPECIAL:
        return SPECIAL[field.name]
    if field.is_relation:
        return User.objects.get(username="ada") if field.related_model is User else _ensure_row(field.related_model)
    if field.choices:
        return field.choices[0][0]
    for kind, value in VALUES.items():
        if isinstance(field, kind):
            return value
    raise AssertionError(f"{field} needs a value: add one of its type to VALUES")


VALUES = {
    models.JSONField: {},
    models.BooleanField: True,
    models.DateTimeField: MOMENT,
    models.BinaryField: b"kept",
    models.DecimalField: 1,
    models.FloatField: 1.0,
    models.IntegerField: 1,
    models.CharField: "kept",
    models.TextField: "kept",
}
