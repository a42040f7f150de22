"""Research: who is in an export, what it tells of them, and what it does not."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.urls import reverse

from exercises.choices import Kind, Role, RunKind, State
from exercises.errors import NotAllowedError
from exercises.exports.codebook import CODEBOOK
from exercises.exports.pseudonyms import REMOVED, Redaction
from exercises.exports.research import research_zip
from exercises.exports.zipped import PIECE_BYTES, zip_pieces
from exercises.models import Activity, AuditEntry, Membership, Refusal, User
from exercises.services import submit
from exercises.services.research import begin_research_export, set_research_consent
from graders.outcomes import Feedback, Verdict
from tests.factories import (
    make_assignment,
    make_case,
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_run,
)

DOCS = Path(__file__).parents[2] / "docs" / "research.md"
SOURCE = '''import torch
from torch.optim import Adam

# by Ada Lind, ada@uni.org, student 0041-77
def double(x):
    """ADA wrote this with Bo and bomoen."""
    return torch.max(x) + Adam(x).Lind + Lindgren
'''
WITHOUT_NAMES = f'''import torch
from torch.optim import Adam

# by {REMOVED} {REMOVED}, {REMOVED}, student {REMOVED}-77
def double(x):
    """{REMOVED} wrote this with Bo and {REMOVED}."""
    return torch.max(x) + Adam(x).Lind + Lindgren
'''


class Studied:
    """A class of two, of whom one agrees; she has done one of everything, he the same."""

    def __init__(self):
        self.course = make_course()
        self.instructor = make_member(self.course, role=Role.INSTRUCTOR, username="profroth", last_name="Roth")
        self.ada = self._student(username="adalind", first_name="Ada", last_name="Lind", email="ada@uni.org")
        self.bo = self._student(username="bomoen", first_name="Bo", last_name="Moen", email="bo@uni.org")
        self.course.memberships.filter(user=self.ada).update(external_id="0041")
        self.code = make_exercise(self.course)
        self.choice = make_exercise(self.course, kind=Kind.TEXT)
        self.explain = make_exercise(self.course, kind=Kind.EXPLAIN)
        self.assignment = make_assignment(self.choice)
        for student in (self.ada, self.bo):
            self._work(student)
        set_research_consent(self.ada, self.course.slug, agrees=True)

    def read(self, key=b"k"):
        """The files of an export: rows of CSV, objects of JSONL."""
        archive = zipfile.ZipFile(io.BytesIO(b"".join(research_zip(self.course, key=key))))
        assert archive.testzip() is None
        return {name: _parsed(name, archive.read(name).decode()) for name in archive.namelist()}

    def _student(self, **fields):
        return make_member(self.course, **fields)

    def _work(self, student):
        wrong = make_case(verdict=Verdict.WRONG_ANSWER, points=0, visible=False, feedback=Feedback(cause="not-scaled"))
        outcome = make_outcome(verdict=Verdict.WRONG_ANSWER, score=1, cases=(make_case(), wrong))
        make_graded(student, self.code, outcome=outcome, source=SOURCE + f"# {student.pk}\n")
        submit(student, self.choice, response="5 says Ada Lind", assignment=self.assignment.slug)
        submit(student, self.explain, response="I, Ada Lind, explain.")
        ran = {"state": State.GRADED, "verdict": Verdict.ACCEPTED}
        make_run(student, kind=RunKind.CASES, version=self.code.published, source="# Ada Lind ran this", **ran)
        make_run(student, source="# Ada Lind in the playground", **ran)
        Activity.objects.create(student=student, exercise=self.code, kind="hint_opened", number=2)
        Refusal.objects.create(student=student, exercise=self.code, reason="closed", source="# Ada Lind")


def _parsed(name, text):
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture
def studied(db):
    return Studied()


def test_export_is_of_those_who_agree_alone(studied):
    files = studied.read()

    (student,) = {row["student"] for row in files["students.csv"]}
    for name in ("submissions.csv", "runs.csv", "hints.csv", "refusals.csv"):
        assert {row["student"] for row in files[name]} == {student}, name
    assert len(files["submissions.csv"]) == 3
    assert len(files["runs.csv"]) == 1


def test_taking_consent_back_takes_the_student_out(studied):
    set_research_consent(studied.ada, studied.course.slug, agrees=False)

    files = studied.read()

    assert [len(files[name]) for name in ("students.csv", "submissions.csv", "sources.jsonl", "cases.csv")] == [0] * 4


def test_export_tells_verdicts_causes_versions_hints_and_runs(studied):
    files = studied.read()

    code = next(row for row in files["submissions.csv"] if row["exercise"] == studied.code.slug)
    assert (code["verdict"], code["score"], code["version"], code["is_counted"]) == ("wrong_answer", "1.00", "1", "1")
    assert [(row["case"], row["verdict"], row["is_visible"], row["cause"]) for row in files["cases.csv"]] == [
        ("0", "accepted", "1", ""),
        ("1", "wrong_answer", "0", "not-scaled"),
    ]
    assert {row["submission"] for row in files["cases.csv"]} == {code["submission"]}
    assert [(row["kind"], row["number"]) for row in files["hints.csv"]] == [("hint_opened", "2")]
    assert [(row["kind"], row["exercise"]) for row in files["runs.csv"]] == [("cases", studied.code.slug)]
    assert [row["reason"] for row in files["refusals.csv"]] == ["closed"]
    assert {row["exercise"] for row in files["versions.csv"]} == {
        studied.code.slug,
        studied.choice.slug,
        studied.explain.slug,
    }
    assert [row["assignment"] for row in files["assignments.csv"]] == [studied.assignment.slug]


def test_sources_are_without_names_and_explanations_are_left_out(studied):
    sources = studied.read()["sources.jsonl"]

    assert [list(line) for line in sources] == [["submission", "source"], ["submission", "response"]]
    assert sources[0]["source"].startswith(WITHOUT_NAMES)
    assert sources[1]["response"] == f"5 says {REMOVED} {REMOVED}"


def test_export_holds_no_name_address_or_id_of_anybody(studied):
    archive = zipfile.ZipFile(io.BytesIO(b"".join(research_zip(studied.course, key=b"k"))))

    text = "".join(archive.read(name).decode() for name in archive.namelist())

    people = User.objects.values_list("username", "email")
    given = {word for pair in people for word in pair if word}
    found = {word for word in (*given, "Ada Lind", "0041-77", "explain.", "playground") if word in text}
    assert found == set()


def test_names_are_the_same_within_an_export_and_others_in_the_next(studied):
    first, again, other = studied.read(b"one"), studied.read(b"one"), studied.read(b"two")

    assert first == again
    assert first["students.csv"][0]["student"] != other["students.csv"][0]["student"]
    assert {row["submission"] for row in first["submissions.csv"]}.isdisjoint(
        row["submission"] for row in other["submissions.csv"]
    )


def test_files_have_the_columns_of_the_codebook(studied):
    files = studied.read()

    assert set(files) == {*CODEBOOK, "codebook.csv"}
    for name, columns in CODEBOOK.items():
        expected = list(columns)
        if name.endswith(".csv"):
            assert all(list(row) == expected for row in files[name]), name
        else:
            assert all(set(row) <= set(expected) for row in files[name])
    assert [(row["file"], row["column"], row["meaning"]) for row in files["codebook.csv"]] == [
        (file, column, meaning) for file, columns in CODEBOOK.items() for column, meaning in columns.items()
    ]


def test_docs_have_the_codebook():
    text = DOCS.read_text()

    missing = [
        f"| `{column}` | {meaning} |"
        for columns in CODEBOOK.values()
        for column, meaning in columns.items()
        if f"| `{column}` | {meaning} |" not in text
    ]
    assert missing == []
    assert [file for file in CODEBOOK if f"### `{file}`" not in text] == []


def test_export_is_on_record_with_how_many_agreed(client, studied):
    client.force_login(studied.instructor)

    answer = client.post(reverse("teach:research-export", args=(studied.course.slug,)))

    assert answer.streaming
    assert zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))).testzip() is None
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.actor, entry.details) == ("research_exported", studied.instructor, {"students": 1})


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.STUDENT, Role.PREVIEW])
def test_others_than_instructors_export_nothing(studied, role):
    with pytest.raises(NotAllowedError):
        begin_research_export(studied.course, author=make_member(studied.course, role=role))

    assert not AuditEntry.objects.exists()


def test_consent_is_given_and_taken_back_on_the_page(client, studied):
    client.force_login(studied.bo)
    address = reverse("learn:own-data")
    own = Membership.objects.get(user=studied.bo)

    before = client.get(address).content.decode()
    client.post(reverse("learn:research-consent"), {"course": studied.course.slug, "agrees": "yes"})
    own.refresh_from_db()
    agreed, since = client.get(address).content.decode(), own.research_consent_at
    client.post(reverse("learn:research-consent"), {"course": studied.course.slug, "agrees": "yes"})
    own.refresh_from_db()
    assert own.research_consent_at == since
    client.post(reverse("learn:research-consent"), {"course": studied.course.slug, "agrees": "no"})
    own.refresh_from_db()

    assert ("I agree" in before, "Take it back" in agreed, own.research_consent_at) == (True, True, None)


def test_nobody_agrees_for_a_course_in_which_they_are_no_student(client, studied):
    client.force_login(studied.instructor)

    answer = client.post(reverse("learn:research-consent"), {"course": studied.course.slug, "agrees": "yes"})

    assert answer.status_code == 404
    assert Membership.objects.get(user=studied.instructor).research_consent_at is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x.Lind", "x.Lind"),
        ("Lind(x)", "Lind(x)"),
        ("Lind = 3", f"{REMOVED} = 3"),
        ("LIND", REMOVED),
        ("lind", REMOVED),
        ("moen", "moen"),
        ("Moen", REMOVED),
        ("Lindgren", "Lindgren"),
        ("ADALIND", REMOVED),
        ("adalind()", "adalind()"),
        ("mail: a.b+c@x-y.example.org.", f"mail: {REMOVED}."),
        ("a@b@x.example.org", f"a@{REMOVED}"),
        ("a" * 2**18, "a" * 2**18),
        ("a " * 2**17, "a " * 2**17),
        (5, 5),
        ([{"Ada": "Ada"}], [{"Ada": REMOVED}]),
    ],
)
def test_names_are_taken_out_and_code_is_left(text, expected):
    people = [
        (User(pk=1, username="adalind", first_name="Ada", last_name="Lind"), ""),
        (User(pk=2, username="bo", first_name="Bo", last_name="Moen"), ""),
    ]

    assert Redaction.of_people(people).of(text, 1) == expected


def test_zip_comes_in_pieces_of_bounded_size():
    lines = (f"{number} {number * 7919 % 104729}\n" * 3 for number in range(100_000))

    sizes = [len(piece) for piece in zip_pieces([("a.txt", lines), ("empty.txt", ())])]

    assert len(sizes) > 5
    assert max(sizes) < 3 * PIECE_BYTES
