"""The gradebook as a page, as files and over the API: one computation, four faces."""

import csv
import io
import json
from decimal import Decimal

import openpyxl
import pytest
from django.urls import reverse
from knox.models import AuthToken

from exercises.choices import Kind, Role, Shown
from exercises.models import AuditEntry
from exercises.services import submit
from tests.factories import make_assignment, make_course, make_exercise, make_member

pytestmark = pytest.mark.django_db


class GradedClass:
    """Two students and two assignments without dates, the second held back."""

    def __init__(self):
        self.course = make_course(dropped_lowest=0)
        self.instructor = make_member(self.course, role=Role.INSTRUCTOR)
        self.assistant = make_member(self.course, role=Role.ASSISTANT)
        self.ada = make_member(self.course, first_name="Ada", last_name="Lind", username="ada")
        self.bo = make_member(self.course, first_name="=1+1", last_name="Moen", username="bo")
        self.course.memberships.filter(user=self.ada).update(external_id="00412", section="Monday")
        self.first = self._assignment(weight=3)
        self.second = self._assignment(weight=1, outcomes_shown=Shown.RELEASED)
        self._hand_in(self.ada, self.first, 5)
        self._hand_in(self.ada, self.second, 4)
        self._hand_in(self.bo, self.first, 4)

    def address(self, name="gradebook", **query):
        return reverse(f"teach:{name}", args=(self.course.slug,), query=query or None)

    def _assignment(self, **fields):
        return make_assignment(make_exercise(self.course, kind=Kind.NUMERIC), **fields)

    def _hand_in(self, student, assignment, response):
        submit(student, assignment.exercises.get(), response=response, assignment=assignment.slug)


@pytest.fixture
def graded():
    return GradedClass()


def body(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def table(text):
    return list(csv.DictReader(io.StringIO(text)))


def over_api(client, graded, suffix="/"):
    token = AuthToken.objects.create(user=graded.assistant)[1]
    address = f"/api/v1/courses/{graded.course.slug}/gradebook{suffix}"
    return client.get(address, headers={"Authorization": f"Token {token}"})


def test_page_shows_grades_weights_and_what_is_held_back(client, graded):
    client.force_login(graded.assistant)

    page = client.get(graded.address()).content.decode()

    assert "75.00 %" in page
    assert "00412" in page
    assert "weight 3" in page
    assert "held back from students" in page


def test_page_is_filtered_by_section(client, graded):
    client.force_login(graded.assistant)

    page = client.get(graded.address(section="Monday")).content.decode()

    assert "Lind" in page
    assert "Moen" not in page


def test_csv_xlsx_and_api_agree_with_each_other(client, graded):
    client.force_login(graded.instructor)
    by_page = table(body(client.get(graded.address("gradebook-csv"))).decode("utf-8-sig"))
    book = openpyxl.load_workbook(io.BytesIO(body(client.get(graded.address("gradebook-xlsx")))))
    client.logout()
    by_api = table(body(over_api(client, graded, ".csv")).decode())
    answer = json.loads(body(over_api(client, graded)))

    first = f"{graded.first.slug} (of 10)"
    assert by_page == by_api
    assert [(row["username"], row["percent"], row[first]) for row in by_page] == [
        ("ada", "75.00", "10.00"),
        ("bo", "0.00", "0.00"),
    ]
    header, *rows = book.active.iter_rows(values_only=True)
    assert list(header) == list(by_page[0])
    assert [row[header.index("percent")] for row in rows] == [75, 0]
    assert [row[header.index("external_id")] for row in rows] == ["00412", None]
    assert [line["percent"] for line in answer["students"]] == [75.0, 0.0]
    assert [line["cells"][0]["points"] for line in answer["students"]] == [10.0, 0.0]
    assert [column["held_back"] for column in answer["columns"]] == [False, True]


def test_names_are_no_formulas_in_files(client, graded):
    client.force_login(graded.instructor)

    rows = table(body(client.get(graded.address("gradebook-csv"))).decode("utf-8-sig"))

    assert [row["first_name"] for row in rows] == ["Ada", "'=1+1"]


def test_what_is_left_out_is_named(client, graded):
    client.force_login(graded.instructor)

    rows = table(body(client.get(graded.address("gradebook-csv"))).decode("utf-8-sig"))

    assert [row["not_counted"] for row in rows] == ["", graded.second.slug]


def test_weights_are_set_by_instructors_and_on_record(client, graded):
    client.force_login(graded.instructor)
    sent = {"rules-dropped_lowest": "1", f"rules-{graded.first.pk}": "2", f"rules-{graded.second.pk}": "0.5"}

    answer = client.post(graded.address("grade-rules"), sent)

    graded.course.refresh_from_db()
    assert answer.status_code == 302
    assert graded.course.dropped_lowest == 1
    assert list(graded.course.assignments.values_list("weight", flat=True)) == [Decimal(2), Decimal("0.5")]
    details = AuditEntry.objects.get(action="grade_rules_set").details
    assert details == {
        graded.first.slug: ["3.00", "2"],
        graded.second.slug: ["1.00", "0.5"],
        "dropped lowest": [0, 1],
    }


@pytest.mark.parametrize("weight", ["-1", "1001", "x", ""])
def test_weight_out_of_bounds_changes_nothing(client, graded, weight):
    client.force_login(graded.instructor)
    sent = {"rules-dropped_lowest": "1", f"rules-{graded.first.pk}": weight, f"rules-{graded.second.pk}": "0.5"}

    answer = client.post(graded.address("grade-rules"), sent)

    graded.course.refresh_from_db()
    assert answer.status_code == 400
    assert graded.course.dropped_lowest == 0
    assert not AuditEntry.objects.exists()


def test_students_see_their_own_grade_without_what_is_held_back(client, graded):
    client.force_login(graded.ada)

    page = client.get(reverse("learn:grade", args=(graded.course.slug,))).content.decode()

    assert "So far: 100.00 %" in page
    assert "not shown yet" in page
    assert "Moen" not in page


def test_page_costs_the_same_queries_for_one_student_and_for_three(client, graded, django_assert_max_num_queries):
    client.force_login(graded.assistant)
    with django_assert_max_num_queries(15):
        client.get(graded.address())
    make_member(graded.course)

    with django_assert_max_num_queries(15):
        client.get(graded.address())
