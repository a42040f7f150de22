"""The table of rights in docs/teaching.md is what services and pages do, row by row."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from exercises import services
from exercises.choices import Kind, Role
from exercises.errors import ExerciseError, NotAllowedError
from exercises.models import Exercise, Regrade
from exercises.services.announcements import announce
from exercises.services.attempts import limit_attempts
from exercises.services.comments import comment
from exercises.services.course_copies import copy_course
from exercises.services.grade_rules import set_grade_rules
from exercises.services.overrides import set_override
from exercises.services.previews import preview_student
from exercises.services.releases import release_outcomes
from exercises.services.research import begin_research_export
from exercises.services.resets import reset_sign_in
from exercises.services.roster import change_member, import_roster, move_to_section, remove_member
from exercises.services.staff_runs import regrade_submission, start_staff_run
from tests.access import table
from tests.factories import make_assignment, make_course, make_exercise, make_member, make_revision

DOCS = Path(__file__).parents[2] / "docs" / "teaching.md"
ROW = re.compile(r"^\| (.+?) \| (yes|no) \| (yes|no) \|$", re.MULTILINE)
ASSISTANT, INSTRUCTOR = 4, 5
KEPT_OUT = (403, 404, 405)


class Place:
    """A course with what the services need."""

    def __init__(self):
        self.course = make_course()
        self.code = Exercise.objects.get(pk=make_exercise(self.course).pk)
        self.head = make_revision(self.code)
        self.explain = make_exercise(self.course, kind=Kind.EXPLAIN)
        self.assignment = make_assignment(make_exercise(self.course, kind=Kind.NUMERIC))
        self.student = make_member(self.course)
        self.submission = services.submit(self.student, self.code, source="x = 1\n")
        self.explained = services.submit(self.student, self.explain, response="Because.")
        self.regrade = Regrade.objects.create(exercise=self.code, version=self.code.published)
        services.create_join_link(self.course, Role.STUDENT, created_by=None)
        self.link = self.course.join_links.get()
        self.membership = self.student.memberships.get()
        self.question = self.course.questions.create(student=self.student, text="Why?")


# For each row: routes that must be open or shut as it says, by method; and what is asked of services.
ROWS = {
    "see the class, its matrix, analyses, students and submissions with hidden cases": (
        "GET teach:class, GET teach:matrix, GET teach:analysis, GET teach:student, GET teach:submission",
        [],
    ),
    "see the gradebook and the roster, and take them as files": (
        "GET teach:gradebook, GET teach:gradebook-csv, GET teach:roster, GET teach:roster-csv, GET api:gradebook",
        [],
    ),
    "answer questions, comment on submissions, review explanations": (
        "POST teach:close-question, POST teach:comment, POST teach:review",
        [
            lambda place, who: services.reply(place.question, author=who, text="So."),
            lambda place, who: services.close_question(place.question, by=who),
            lambda place, who: comment(place.submission, author=who, text="Look."),
        ],
    ),
    "judge one submission anew, and put that in force": (
        "POST teach:regrade-submission",
        [lambda place, who: regrade_submission(place.submission, author=who)],
    ),
    "run a copy of a submission through all cases": (
        "POST teach:run-copy",
        [
            lambda place, who: start_staff_run(
                place.submission, source="x = 2\n", author=who, version=place.submission.version
            )
        ],
    ),
    "see the course as a student": (
        "POST teach:view-as-student",
        [lambda place, who: preview_student(place.course, viewer=who)],
    ),
    "read exercises with references and hidden cases, and try them": (
        "GET authoring:exercise, GET authoring:try",
        [lambda place, who: services.start_trial(place.code, source="x = 1\n", author=who)],
    ),
    "make join links for students": (
        "POST teach:roster-link, POST teach:join-link",
        [lambda place, who: services.create_join_link(place.course, Role.STUDENT, created_by=who)],
    ),
    "make join links for staff, revoke links": (
        "POST teach:revoke-roster-link, POST authoring:join-links",
        [
            lambda place, who: services.create_join_link(place.course, Role.ASSISTANT, created_by=who),
            lambda place, who: services.revoke_join_link(place.link, by=who),
        ],
    ),
    "write lessons and exercises, check and publish them": (
        "POST authoring:exercise, POST authoring:lesson, POST authoring:check, POST authoring:publish, "
        "POST authoring:attempts",
        [
            lambda place, who: limit_attempts(place.code, most=3, author=who),
            lambda place, who: services.create_exercise(place.course, "new", files={}, author=who),
            lambda place, who: services.save_revision(place.code, files={}, based_on=1, author=who),
            lambda place, who: services.duplicate_exercise(place.code, "twin", author=who),
            lambda place, who: services.start_check(place.code, author=who),
            lambda place, who: services.cancel_check(place.code, author=who),
            lambda place, who: services.publish(place.code, author=who),
            lambda place, who: services.unpublish(place.code, author=who),
            lambda place, who: services.cancel_schedule(place.code, author=who),
            lambda place, who: services.retire_exercise(place.code, author=who),
        ],
    ),
    "regrade a corrected exercise": (
        "POST authoring:regrade",
        [
            lambda place, who: services.preview_regrade(place.code, author=who),
            lambda place, who: services.apply_regrade_of(place.regrade, author=who),
            lambda place, who: services.cancel_regrade(place.regrade, author=who),
        ],
    ),
    "make and change assignments, release outcomes": (
        "POST teach:new-assignment, POST teach:assignment, POST teach:release",
        [
            lambda place, who: services.create_assignment(
                place.course, author=who, slug="new", title="New", points={place.code.pk: Decimal(1)}
            ),
            lambda place, who: services.change_assignment(
                place.assignment, author=who, points={place.code.pk: Decimal(1)}
            ),
            lambda place, who: release_outcomes(place.assignment, author=who),
        ],
    ),
    "grant time and attempts, set scores by hand": (
        "POST teach:grant, POST teach:grants, POST teach:extend, POST teach:extra-time, POST teach:override",
        [
            lambda place, who: services.grant_extension(place.assignment, student=place.student, author=who),
            lambda place, who: services.set_extra_time(
                place.course, student=place.student, author=who, factor=Decimal(2)
            ),
            lambda place, who: set_override(
                place.code, student=place.student, author=who, score=Decimal(1), reason="Seen."
            ),
        ],
    ),
    "set weights and how many of the worst are dropped": (
        "POST teach:grade-rules",
        [lambda place, who: set_grade_rules(place.course, author=who, weights={}, dropped_lowest=1)],
    ),
    "import class lists, change and remove members, make sign-in links": (
        "POST teach:roster-import, POST teach:take-roster, POST teach:member, POST teach:remove-member, "
        "POST teach:reset-member, POST teach:move-to-section",
        [
            lambda place, who: import_roster(place.course, [], author=who, digest=""),
            lambda place, who: move_to_section(place.course, [], author=who, section="x"),
            lambda place, who: change_member(place.membership, author=who, section="x"),
            lambda place, who: reset_sign_in(place.membership, author=who),
            lambda place, who: remove_member(place.membership, author=who),
        ],
    ),
    "announce something to the class": (
        "POST teach:announce",
        [lambda place, who: announce(place.course, author=who, text="Hear.")],
    ),
    "change settings, copy the course, export for research": (
        "POST authoring:settings, POST teach:copy-course, POST teach:research-export",
        [
            lambda place, who: services.change_course(place.course, author=who, title="New"),
            lambda place, who: copy_course(place.course, author=who, slug="next", title="Next"),
            lambda place, who: begin_research_export(place.course, author=who),
        ],
    ),
}


def rows_of_docs():
    return {
        what: (assistants == "yes", instructors == "yes")
        for what, assistants, instructors in ROW.findall(DOCS.read_text())
    }


def is_refused(act, place, who):
    """Whether the service says that this person may not; what else it says does not matter here."""
    try:
        act(place, who)
    except NotAllowedError:
        return True
    except ExerciseError:
        return False
    return False


def test_table_and_test_have_the_same_rows():
    assert set(rows_of_docs()) == set(ROWS)


@pytest.mark.parametrize("what", ROWS)
def test_pages_are_open_as_the_table_says(what):
    allowed = rows_of_docs()[what]
    codes = [table()[route][method, "home"] for method, route in map(str.split, ROWS[what][0].split(", "))]

    assert [code[ASSISTANT] not in KEPT_OUT for code in codes] == [allowed[0]] * len(codes)
    assert [code[INSTRUCTOR] not in KEPT_OUT for code in codes] == [allowed[1]] * len(codes)


@pytest.mark.django_db
@pytest.mark.parametrize("what", [what for what, (_routes, acts) in ROWS.items() if acts])
@pytest.mark.parametrize(("role", "column"), [(Role.ASSISTANT, 0), (Role.INSTRUCTOR, 1)])
def test_services_ask_as_the_table_says(what, role, column):
    place = Place()
    who = make_member(place.course, role=role)

    refused = [is_refused(act, place, who) for act in ROWS[what][1]]

    assert refused == [not rows_of_docs()[what][column]] * len(refused)


@pytest.mark.django_db
@pytest.mark.parametrize("what", [what for what, (_routes, acts) in ROWS.items() if acts])
def test_students_and_the_preview_student_may_do_none_of_it(what):
    place = Place()
    people = [make_member(place.course, role=role) for role in (Role.STUDENT, Role.PREVIEW)]

    assert all(is_refused(act, place, who) for act in ROWS[what][1] for who in people)
