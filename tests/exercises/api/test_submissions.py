import json
from datetime import UTC, datetime

import pytest

from exercises import live
from exercises.choices import Kind, Role
from exercises.models import Attempt, Refusal, Submission
from exercises.services import claim_next
from graders.outcomes import Feedback, Stage, Verdict
from tests.exercises.api.client import Caller, path_of
from tests.factories import (
    make_assignment,
    make_case,
    make_course,
    make_exercise,
    make_graded,
    make_member,
    make_outcome,
    make_submission,
    make_user,
    publish_version,
)

pytestmark = pytest.mark.django_db
LONG_AGO, FAR = datetime(2020, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC)
SOURCE = "def double(x):\n    return 2 * x\n"


@pytest.fixture
def exercise():
    return make_exercise()


@pytest.fixture
def caller(exercise):
    return Caller(make_member(exercise.course))


def hand_in(caller, exercise, body, **headers):
    return caller.post(f"{path_of(exercise)}submissions/", body, **headers)


def test_code_is_taken_and_waits_for_a_worker(caller, exercise):
    answer = hand_in(caller, exercise, {"source": SOURCE})

    submission = Submission.objects.get()
    said = answer.json()
    events_url = said.pop("events_url")
    assert answer.status_code == 202
    assert said == {
        "id": submission.pk,
        "receipt": submission.receipt,
        "course": exercise.course.slug,
        "exercise": exercise.slug,
        "assignment": None,
        "counted": True,
        "version": 1,
        "state": "queued",
        "awaiting": "worker",
        "verdict": None,
        "score": None,
        "max_score": None,
        "feedback": None,
        "cases": [],
        "hidden_case": None,
        "stdout": None,
        "error": None,
        "created_at": said["created_at"],
        "graded_at": None,
    }
    assert live.topic_of(events_url.removeprefix("/events/").removesuffix("/")) == f"submission:{submission.pk}"
    assert (submission.source, submission.student) == (SOURCE, caller.user)


def test_source_is_kept_as_sent(caller, exercise):
    source = "\n\n  # Ünïcode ✓\r\nx = 1\t \n\n"

    hand_in(caller, exercise, {"source": source})

    assert Submission.objects.get().source == source


def test_question_is_answered_at_once():
    exercise = make_exercise(kind=Kind.NUMERIC)
    caller = Caller(make_member(exercise.course))

    right = hand_in(caller, exercise, {"response": "5"})
    wrong = hand_in(caller, exercise, {"response": 6})

    assert [answer.status_code for answer in (right, wrong)] == [201, 201]
    assert (right.json()["verdict"], right.json()["score"], right.json()["events_url"]) == ("accepted", 1.0, None)
    assert (wrong.json()["verdict"], wrong.json()["score"], wrong.json()["max_score"]) == ("wrong_answer", 0.0, 1.0)


def test_choice_takes_the_ids_that_this_student_was_given():
    exercise = make_exercise(kind=Kind.CHOICE)
    caller, classmate = Caller(make_member(exercise.course)), Caller(make_member(exercise.course))
    options = caller.get(path_of(exercise)).json()["options"]

    verdicts = {
        option["text"]: hand_in(caller, exercise, {"response": option["id"]}).json()["verdict"] for option in options
    }
    foreign = hand_in(classmate, exercise, {"response": options[0]["id"]})

    assert verdicts == {"Because": "accepted", "By chance": "wrong_answer"}
    assert (foreign.status_code, list(foreign.json())) == (400, ["response"])


def test_graded_submission_is_told_case_by_case(exercise):
    student = make_member(exercise.course)
    visible = make_case(
        verdict=Verdict.RUNTIME_ERROR,
        feedback=Feedback(stage=Stage.EXCEPTION, summary="boom", details={"type": "ValueError", "message": "boom"}),
    )
    hidden = make_case(
        name="secret", visible=False, feedback=Feedback(stage=Stage.VALUES, summary="no", details={"worst": [1]})
    )
    failing = Feedback(stage=Stage.EXCEPTION, summary="boom", details={"type": "ValueError", "message": "boom"})
    outcome = make_outcome(verdict=Verdict.RUNTIME_ERROR, score=0, feedback=failing, cases=(visible, hidden))
    submission = make_graded(student, exercise, outcome=outcome, printed="hello\n")

    said = Caller(student).get(f"submissions/{submission.pk}/").json()

    assert (said["state"], said["verdict"], said["awaiting"], said["events_url"]) == (
        "graded", "runtime_error", None, None,
    )  # fmt: skip
    assert (said["score"], said["max_score"], said["stdout"]) == (0.0, 4.0, "hello\n")
    assert said["error"] == {"type": "ValueError", "message": "boom"}
    assert [list(case) for case in said["cases"]] == [
        ["name", "visible", "verdict", "points", "max_points", "feedback"]
    ] * 2
    assert said["cases"][0]["feedback"]["details"] == {"type": "ValueError", "message": "boom"}
    assert said["cases"][1]["feedback"]["details"] is None
    assert "evidence" not in said


def test_running_submission_tells_the_cases_judged_so_far(exercise, monkeypatch):
    submission = make_submission(exercise=exercise)
    claim_next("test")
    partial = [{**make_outcome(cases=(make_case(),)).to_json()["cases"][0]}]
    monkeypatch.setattr(live, "read_partial", lambda grading_id: partial)

    said = Caller(submission.student).get(f"submissions/{submission.pk}/").json()

    assert (said["state"], said["cases"]) == ("running", partial)


def test_numbers_that_json_has_not_are_told_as_text(exercise):
    student = make_member(exercise.course)
    details = {"largest": float("nan"), "pairs": [float("inf"), 1.5]}
    case = make_case(feedback=Feedback(stage=Stage.NAN, summary="NaN", details=details))
    submission = make_graded(student, exercise, outcome=make_outcome(cases=(case,)))

    said = Caller(student).get(f"submissions/{submission.pk}/").json()

    assert said["cases"][0]["feedback"]["details"] == {"largest": "nan", "pairs": ["inf", 1.5]}


def test_staff_of_the_course_may_read_a_submission_and_strangers_may_not(exercise):
    submission = make_graded(exercise=exercise)
    people = {
        "classmate": make_member(exercise.course),
        "assistant": make_member(exercise.course, role=Role.ASSISTANT),
        "instructor": make_member(exercise.course, role=Role.INSTRUCTOR),
        "staff of another course": make_member(make_course(), role=Role.INSTRUCTOR),
        "stranger": make_user(),
    }

    statuses = {name: Caller(user).get(f"submissions/{submission.pk}/").status_code for name, user in people.items()}

    assert statuses == {
        "classmate": 404,
        "assistant": 200,
        "instructor": 200,
        "staff of another course": 404,
        "stranger": 404,
    }


@pytest.mark.parametrize("pk", [0, 12345, 2**63, 10**40])
def test_submission_that_does_not_exist_is_not_found(caller, pk):
    answer = caller.get(f"submissions/{pk}/")

    assert (answer.status_code, list(answer.json())) == (404, ["detail"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "source"),
        ({"source": 7}, "source"),
        ({"source": None}, "source"),
        ({"source": ["x"]}, "source"),
        ({"source": "x = 1\0"}, "source"),
        (b'{"source": "\\ud800"}', "source"),
        ({"source": "x" * (256 * 1024 + 1)}, "source"),
        ({"source": "ü" * 131_073}, "source"),
        ({"response": "5"}, "response"),
        ({"source": SOURCE, "response": "5"}, "response"),
        ({"source": SOURCE, "version": "1"}, "version"),
        ({"source": SOURCE, "version": True}, "version"),
        ({"source": SOURCE, "version": 99}, "version"),
        ({"source": SOURCE, "version": 10**30}, "version"),
        ({"source": SOURCE, "score": 100}, "score"),
        ({"source": SOURCE, "student": 1}, "student"),
        ({"source": SOURCE, "na\0me": 1}, "the name of a field"),
        ([1], "body"),
        ("source", "body"),
        (7, "body"),
        (None, "body"),
    ],
)
def test_body_of_the_wrong_form_names_the_field_and_stores_nothing(caller, exercise, body, field):
    answer = hand_in(caller, exercise, body)

    assert (answer.status_code, list(answer.json())) == (400, [field])
    assert not Submission.objects.exists()
    assert not Attempt.objects.exists()
    assert not Refusal.objects.exists()


@pytest.mark.parametrize(
    ("response", "field"),
    [
        (None, "response"),
        (True, "response"),
        ([5], "response"),
        ({"a": 5}, "response"),
        ("five", "response"),
        ("5\0", "response"),
        ({"a": "\0"}, "response"),
        ("9" * 100_000, "response"),
    ],
)
def test_response_of_the_wrong_form_names_the_field_and_stores_nothing(response, field):
    exercise = make_exercise(kind=Kind.NUMERIC)
    caller = Caller(make_member(exercise.course))

    answer = hand_in(caller, exercise, {"response": response})

    assert (answer.status_code, list(answer.json())) == (400, [field])
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff\xfe{}",
        b'{"source": NaN}',
        b'{"source": 1e999}',
        b'{"source": ' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b'{"response": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    ],
)
def test_body_that_is_no_json_is_refused(caller, exercise, text):
    answer = hand_in(caller, exercise, text)

    assert answer.status_code == 400
    assert not Submission.objects.exists()


def test_body_over_two_megabytes_is_too_large(caller, exercise):
    answer = hand_in(caller, exercise, {"source": "x" * 2 * 1024 * 1024})

    assert (answer.status_code, list(answer.json())) == (413, ["detail"])


def test_body_of_another_type_is_refused(caller, exercise):
    answer = caller._client.post(
        f"/api/v1/{path_of(exercise)}submissions/", {"source": SOURCE}, headers=caller._headers
    )

    assert answer.status_code == 415


def test_largest_source_is_taken(caller, exercise):
    assert hand_in(caller, exercise, {"source": "x" * 256 * 1024}).status_code == 202


def test_idempotency_key_hands_in_once(caller, exercise):
    first = hand_in(caller, exercise, {"source": SOURCE}, **{"Idempotency-Key": "one"})
    again = hand_in(caller, exercise, {"source": SOURCE}, **{"Idempotency-Key": "one"})
    other = hand_in(caller, exercise, {"source": "x = 1"}, **{"Idempotency-Key": "one"})

    assert first.json()["id"] == again.json()["id"]
    assert (other.status_code, list(other.json())) == (409, ["detail"])
    assert Submission.objects.count() == 1


def test_idempotency_key_belongs_to_its_user(caller, exercise):
    classmate = Caller(make_member(exercise.course))
    hand_in(caller, exercise, {"source": SOURCE}, **{"Idempotency-Key": "one"})

    assert hand_in(classmate, exercise, {"source": "x = 1"}, **{"Idempotency-Key": "one"}).status_code == 202


@pytest.mark.parametrize("key", ["", "x" * 201, "a\x07b"])
def test_idempotency_key_of_the_wrong_form_is_named(caller, exercise, key):
    answer = hand_in(caller, exercise, {"source": SOURCE}, **{"Idempotency-Key": key})

    assert (answer.status_code, list(answer.json())) == (400, ["Idempotency-Key"])
    assert not Submission.objects.exists()


def test_outdated_version_is_a_conflict(caller, exercise):
    publish_version(exercise)

    answer = hand_in(caller, exercise, {"source": SOURCE, "version": 1})

    assert (answer.status_code, list(answer.json())) == (409, ["detail"])
    assert not Submission.objects.exists()


def test_no_attempts_left_is_refused_and_kept_for_staff():
    exercise = make_exercise(kind=Kind.NUMERIC, max_attempts=1)
    caller = Caller(make_member(exercise.course))
    hand_in(caller, exercise, {"response": 1})

    answer = hand_in(caller, exercise, {"response": 2})

    assert answer.status_code == 403
    assert Refusal.objects.get().response == 2


@pytest.mark.parametrize("path", ["exercises/{course}/nothing/", "exercises/nothing/{exercise}/"])
def test_unknown_slug_is_not_found(caller, exercise, path):
    path = path.format(course=exercise.course.slug, exercise=exercise.slug)

    assert caller.get(path).status_code == 404
    assert caller.post(f"{path}submissions/", {"source": SOURCE}).status_code == 404
    assert caller.post(f"{path}runs/", {"source": SOURCE}).status_code == 404


def test_exercise_of_a_foreign_course_or_a_retired_one_is_not_found(caller, exercise):
    foreign, retired = make_exercise(), make_exercise(exercise.course, is_retired=True)

    for hidden in (foreign, retired):
        assert hand_in(caller, hidden, {"source": SOURCE}).status_code == 404
    assert not Submission.objects.exists()


def test_answers_are_not_kept_in_caches(caller, exercise):
    assert "no-store" in hand_in(caller, exercise, {"source": SOURCE})["Cache-Control"]


def test_secrets_of_the_definition_are_not_in_the_answer():
    exercise = make_exercise(
        files={"reference.py": "CANARY", "cases.py": "CANARY", "mistakes/a.py": "CANARY", "starter.py": "start"},
        definition={"mistakes": {"a": {"title": "CANARY", "feedback": "CANARY"}}, "explanation": "CANARY"},
    )
    answer = Caller(make_member(exercise.course)).get(path_of(exercise))

    assert answer.json()["starter"] == "start"
    assert "CANARY" not in json.dumps(answer.json())


def test_assignment_is_named_and_told(caller, exercise):
    assignment = make_assignment(exercise)

    said = hand_in(caller, exercise, {"source": SOURCE, "assignment": assignment.slug}).json()

    assert (said["assignment"], said["counted"]) == (assignment.slug, True)


@pytest.mark.parametrize("name", ["nothing", 5, None, [], ""])
def test_unknown_assignment_is_a_bad_request(caller, exercise, name):
    answer = hand_in(caller, exercise, {"source": SOURCE, "assignment": name})

    if name is None:
        assert answer.status_code == 202
    else:
        assert (answer.status_code, list(answer.json())) == (400, ["assignment"])


@pytest.mark.parametrize("dates", [{"opens_at": FAR}, {"closes_at": LONG_AGO}])
def test_assignment_that_takes_nothing_now_is_a_conflict(caller, exercise, dates):
    assignment = make_assignment(exercise, **dates)
    make_assignment(exercise)

    answer = hand_in(caller, exercise, {"source": SOURCE, "assignment": assignment.slug})

    assert (answer.status_code, list(answer.json())) == (409, ["detail"])
    assert Refusal.objects.get().assignment == assignment
