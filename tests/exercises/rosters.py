"""Class lists as text, and what becomes of them."""

from exercises.choices import Role
from exercises.imports.roster import read_roster
from exercises.queries.roster_plan import Fate, plan_roster
from exercises.services.roster import import_roster
from tests.factories import make_member

HEADER = "username,email,last_name,first_name,external_id,section,role\n"


def rows_of(text):
    return read_roster(text).rows


def fates(course, text, *, importer=None):
    plan = plan_roster(course, rows_of(text), importer=importer or make_member(course, role=Role.INSTRUCTOR))
    return [line.fate for line in plan.lines]


def reasons(course, text):
    plan = plan_roster(course, rows_of(text), importer=make_member(course, role=Role.INSTRUCTOR))
    return [line.reason for line in plan.lines if line.fate == Fate.REFUSED]


def imported(course, text, author):
    rows = rows_of(text)
    return import_roster(course, rows, author=author, digest=plan_roster(course, rows, importer=author).digest)


# Reading
