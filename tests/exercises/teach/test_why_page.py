"""Why a submission was judged so: all of it for the staff of its course, and nothing for anybody else."""

import io
import zipfile
from decimal import Decimal

import pytest
from django.urls import reverse

from exercises.choices import Kind, Role, RunKind, State
from exercises.draws import seeds_of
from exercises.learn.differing import MOST_LINES
from exercises.models import Attempt, Comment, Grading, Run
from exercises.queries.receipts import receipt_of
from exercises.services import RunFacts, claim_next, record_outcome, record_run, store_case_set, submit
from graders.outcomes import Feedback, Stage, Verdict
from graders.questions.kinds import grade_response
from tests.factories import (
    make_case,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    publish_version,
    right_response,
)
from worker.responses import SEED, read_response

TENSOR = {"dtype": "float32", "shape": [1], "values": [3.25]}
VISIBLE = [{"name": "two tokens", "args": [1.5], "kwargs": {}, "expected": 3.0}]
HIDDEN = [
    {"index": 0, "draw": 0, "name": "a batch", "args": [TENSOR], "kwargs": {}, "expected": 6.5},
    {"index": 0, "draw": 1, "name": "a batch", "args": [4.125], "kwargs": {}, "expected": 8.25},
]
WRONG_HIDDEN = make_case(
    name="a batch",
    visible=False,
    verdict=Verdict.WRONG_ANSWER,
    points=Decimal(0),
    feedback=Feedback(
        stage=Stage.VALUES, summary="In a hidden case values differ.", cause="scaled", details={"factor": 8}
    ),
)
FACTS = RunFacts(
    cpu_seconds=0.5, torch_version="2.9.0", runner_version="r1", cpu_capability="AVX2", evidence="pids.events: max 3"
)


@pytest.fixture
def exercise(course):
    limits = {"cpu_seconds": 4, "memory_mb": 512, "tasks": 64}
    files = {"starter.py": "def double(x): ...\n", "reference.py": "def double(x): return 2 * x\n"}
    exercise = make_exercise(course, definition={"limits": limits, "draws": 2}, files=files)
    store_case_set(exercise.published, blob=b"", visible=VISIBLE, hidden=HIDDEN)
    return exercise


@pytest.fixture
def submission(people, exercise):
    kept = {"name": "a batch", "args": [4.125], "kwargs": {}, "expected": 8.25, "actual": 7.75, "feedback": {}}
    outcome = make_outcome(
        verdict=Verdict.WRONG_ANSWER,
        score=Decimal(1),
        max_score=Decimal(2),
        cases=(make_case(), WRONG_HIDDEN),
        hidden_case=kept,
    )
    source = "def double(x):\n    return x + 1.5\n"
    return make_graded(people["owner"], exercise, outcome=outcome, facts=FACTS, printed="seen 1.5\n", source=source)


@pytest.fixture
def assistant(client, course):
    user = make_member(course, role=Role.ASSISTANT, username="assistant-here")
    client.force_login(user)
    return user


def address(submission, name="submission", **more):
    kwargs = {"course": submission.exercise.course.slug, "submission_id": submission.pk, **more}
    return reverse(f"teach:{name}", kwargs=kwargs)


def test_receipt_is_read_with_or_without_its_dash_and_in_any_case():
    assert {receipt_of(text) for text in ("7F3K-22XA", "7f3k22xa", " 7f3k 22xa\n", "#7F3K–22XA")} == {"7F3K-22XA"}


def test_receipt_leads_to_the_page(client, assistant, submission, course):
    found = client.get(reverse("teach:receipt", args=(course.slug,)), {"receipt": submission.receipt.lower()})

    assert (found.status_code, found["Location"]) == (302, address(submission))


def test_unknown_receipt_is_said_to_be_so(client, assistant, course):
    missing = client.get(reverse("teach:receipt", args=(course.slug,)), {"receipt": "<b>nothing"})

    assert missing.status_code == 404
    assert "No such receipt" in missing.content.decode()
    assert "<b>nothing" not in missing.content.decode()


def test_receipt_of_another_course_is_found_by_its_own_staff_alone(client, assistant, people, course):
    elsewhere = make_graded()

    assert client.get(reverse("teach:receipt", args=(course.slug,)), {"receipt": elsewhere.receipt}).status_code == 404
    elsewhere.exercise.course.memberships.create(user=assistant, role=Role.ASSISTANT)
    there = client.get(reverse("teach:receipt", args=(course.slug,)), {"receipt": elsewhere.receipt})
    assert there["Location"] == address(elsewhere)


def test_page_has_all_that_is_known(client, assistant, submission):
    html = client.get(address(submission)).content.decode()

    for told in (
        "pids.events: max 3",
        "2.9.0",
        "r1",
        "AVX2",
        "0.5 s of 4 s",
        "seen 1.5",
        "scaled",
        "&quot;factor&quot;: 8",
        "a batch",
        "8.25",
        "4.125",
        "7.75",
        "Draw 2",
        "return x + 1.5",
        "What the student sees",
    ):
        assert told in html
    # A student's side of the page: the hidden case by name and verdict, nothing of what was put in.
    theirs = html.split('id="student-side"')[1].split('id="handed-in"')[0]
    assert "a batch" in theirs
    for secret in ("4.125", "7.75", "pids.events"):
        assert secret not in theirs


def test_what_hidden_cases_gave_comes_from_a_staff_run_of_the_same_text(client, assistant, submission):
    assert "What hidden cases gave is not kept" in client.get(address(submission)).content.decode()
    client.post(address(submission, "run-copy"), {"source": submission.source.replace("\n", "\r\n")})
    run = Run.objects.get()
    hidden = [
        {**draw, "actual": actual, "verdict": "wrong_answer", "feedback": {"summary": "Off."}}
        for draw, actual in zip(HIDDEN, (5.375, 7.75), strict=True)
    ]
    record_run(claim_next("test"), Verdict.WRONG_ANSWER, result={"hidden": hidden, "cases": []}, facts=RunFacts())

    html = client.get(address(submission)).content.decode()

    assert (run.source, run.kind, run.version) == (submission.source, RunKind.JUDGED, submission.version)
    assert "5.375" in html
    assert "What hidden cases gave is not kept" not in html


def test_edited_copy_runs_without_being_an_attempt(client, assistant, submission):
    answer = client.post(address(submission, "run-copy"), {"source": "edited"}, headers={"HX-Request": "true"})

    assert answer.status_code == 200
    assert "next" in answer.content.decode() or "queue" in answer.content.decode()
    assert (Grading.objects.count(), Attempt.objects.count()) == (1, 1)
    again = client.post(address(submission, "run-copy"), {"source": "edited"})
    assert again["Location"] == reverse(
        "teach:staff-run", args=(submission.exercise.course.slug, Run.objects.first().pk)
    )
    refused = client.post(address(submission, "run-copy"), {"source": "edited"})
    assert refused.status_code == 429


def test_staff_run_has_a_page_that_goes_with_the_role(client, assistant, submission, people):
    client.post(address(submission, "run-copy"), {"source": "edited"})
    run = Run.objects.get()
    cases = [
        {"name": "two tokens", "visible": True, "verdict": "accepted", "points": 1, "max_points": 1, "feedback": {}}
    ]
    hidden_case = {**cases[0], "name": "a batch", "visible": False}
    result = {
        "cases": [*cases, hidden_case],
        "hidden": [{**HIDDEN[1], "actual": 7.75, "verdict": "wrong_answer", "feedback": {}}],
        "score": 1.0,
        "max_score": 2.0,
        "feedback": {"summary": "One differs."},
    }
    record_run(claim_next("test"), Verdict.WRONG_ANSWER, result=result, facts=FACTS)
    page = reverse("teach:staff-run", args=(submission.exercise.course.slug, run.pk))

    html = client.get(page).content.decode()

    for told in ("7.75", "8.25", "4.125", "pids.events", "One differs.", "1 / 2", "edited"):
        assert told in html
    assert client.get(reverse("learn:run", args=(run.pk,))).status_code == 404
    submission.exercise.course.memberships.filter(user=assistant).update(role=Role.STUDENT)
    assert client.get(page).status_code == 404


def test_download_is_what_grade_takes(client, assistant, submission):
    answer = client.get(address(submission, "submission-zip"))

    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    top, slug = f"submission-{submission.receipt}", submission.exercise.slug
    assert archive.read(f"{top}/submission.py").decode() == submission.source
    assert archive.read(f"{top}/exercise/{slug}/reference.py").decode() == "def double(x): return 2 * x\n"
    readme = archive.read(f"{top}/README.md").decode()
    seeds = " ".join(map(str, seeds_of(submission.version)))
    assert f"python manage.py grade exercise/{slug} submission.py --draws {seeds} --json" in readme
    assert submission.version.content_hash in readme


@pytest.mark.parametrize("kind", [Kind.CHOICE, Kind.ORDERING, Kind.MATCHING, Kind.NUMERIC, Kind.TENSOR, Kind.BLANKS])
def test_download_of_a_question_has_words_in_place_of_ids(client, assistant, people, course, kind):
    exercise = make_exercise(course, kind=kind)
    student = people["owner"]
    submission = submit(student, exercise, response=right_response(student, exercise))

    archive = zipfile.ZipFile(io.BytesIO(client.get(address(submission, "submission-zip")).content))

    text = archive.read(f"submission-{submission.receipt}/response.txt").decode()
    definition = submission.version.definition["exercise"]
    outcome = grade_response(definition, read_response({"multiple": False, "indent": False, **definition}, text), SEED)
    assert outcome.verdict == Verdict.ACCEPTED


def test_attempts_are_compared(client, assistant, submission, people):
    later = make_graded(people["owner"], submission.exercise, source="def double(x):\n    return 2 * x\n")

    html = client.get(address(submission), {"with": later.pk}).content.decode()

    assert f"From {submission.receipt} to {later.receipt}" in html
    assert "    return 2 * x" in html
    assert client.get(address(submission), {"with": make_graded().pk}).status_code == 404
    assert client.get(address(submission), {"with": "x"}).status_code == 200


def test_of_very_long_attempts_the_beginnings_are_compared(client, assistant, submission, people):
    later = make_graded(people["owner"], submission.exercise, source="x = 1\n" * MOST_LINES + "y = 2\n")

    html = client.get(address(submission), {"with": later.pk}).content.decode()

    assert "Only the beginnings were compared" in html
    assert "y = 2" not in html


def test_it_is_judged_anew_from_here(client, assistant, submission):
    publish_version(submission.exercise)
    assert "was corrected since" in client.get(address(submission)).content.decode()

    client.post(address(submission, "regrade-submission"))
    record_outcome(claim_next("test"), make_outcome(), facts=RunFacts())
    grading = Grading.objects.get(in_force=False)

    assert "Put it in force" in client.get(address(submission)).content.decode()
    client.post(address(submission, "apply-submission-regrade"), {"grading": grading.pk})
    assert Grading.objects.get(in_force=True) == grading
    assert "Put it in force" not in client.get(address(submission)).content.decode()
    assert client.post(address(submission, "apply-submission-regrade"), {"grading": "x"}).status_code == 404


def test_fault_of_ours_is_called_ours(client, assistant, submission):
    Grading.objects.update(verdict=Verdict.INTERNAL_ERROR, fault="the runner was away", feedback=None)

    html = client.get(address(submission)).content.decode()

    assert "It was us" in html
    assert "the runner was away" in html


def test_page_of_what_waits_or_was_answered_by_words(client, assistant, people, course):
    explained = submit(people["owner"], make_exercise(course, kind=Kind.EXPLAIN), response="Since it spreads.")

    html = client.get(address(explained)).content.decode()

    assert "It is not judged yet." in html
    assert "Since it spreads." in html
    assert "Run as staff" not in html
    assert explained.grading.state == State.QUEUED


def test_comment_is_shown_to_the_student_at_its_line(client, assistant, submission, people):
    client.post(address(submission, "comment"), {"line": "2", "text": "Why `1.5`?"})
    refused = client.post(address(submission, "comment"), {"line": "9", "text": "Where?"})

    assert refused.status_code == 400
    said = Comment.objects.get()
    client.force_login(people["owner"])
    html = client.get(reverse("learn:submission", args=(submission.pk,))).content.decode()
    assert "Why <code>1.5</code>?" in html
    assert "Line 2" in html
    assert "Take back</button>" not in html.split('id="comments"')[1].split("</section>")[0]
    assert "Why this outcome?" not in html
    client.force_login(assistant)
    client.post(reverse("teach:uncomment", args=(submission.exercise.course.slug, said.pk)))
    assert not Comment.objects.exists()


def test_attempt_is_given_back_by_an_instructor(client, assistant, submission, people):
    assert "Give the attempt back" not in client.get(address(submission)).content.decode()
    client.post(address(submission, "give-attempt-back"), {"reason": "So."})
    assert Attempt.objects.get().given_back_at is None

    client.force_login(people["teacher"])
    client.post(address(submission, "give-attempt-back"), {"reason": ""})
    assert Attempt.objects.get().given_back_at is None
    client.post(address(submission, "give-attempt-back"), {"reason": "The site was down."})
    assert Attempt.objects.get().given_back_at is not None


def test_page_asks_the_same_number_of_queries_for_one_attempt_and_for_many(assistant, submission, people, queries_of):
    first = queries_of(address(submission))
    for _ in range(3):
        make_graded(people["owner"], submission.exercise)

    assert queries_of(address(submission)) == first
    assert first <= 15
