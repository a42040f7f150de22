import pytest

from exercises.choices import Kind, RunKind, State
from exercises.models import Run
from exercises.services import RunFacts, claim_next, record_run
from graders.outcomes import Verdict
from tests.exercises.api.client import Caller, path_of
from tests.factories import make_course, make_exercise, make_lesson, make_member, make_run, make_user

pytestmark = pytest.mark.django_db


def test_free_run_is_queued():
    caller = Caller(make_user())

    answer = caller.post("runs/", {"source": "print(1)\n"})

    said, run = answer.json(), Run.objects.get()
    assert answer.status_code == 202
    assert (run.kind, run.source, run.student) == (RunKind.FREE, "print(1)\n", caller.user)
    assert said == {
        "id": run.pk,
        "kind": "free",
        "state": "queued",
        "verdict": None,
        "stdout": None,
        "error": None,
        "value": None,
        "value_tensor": None,
        "tensors": [],
        "cases": [],
        "created_at": said["created_at"],
        "finished_at": None,
        "events_url": said["events_url"],
    }


def test_snippet_runs_in_its_lesson():
    lesson = make_lesson()
    caller = Caller(make_member(lesson.course))

    answer = caller.post("runs/", {"lesson": lesson.slug, "snippet": 0, "source": "print(1)\n"})

    assert answer.status_code == 202
    assert Run.objects.values_list("kind", "lesson", "snippet").get() == (RunKind.SNIPPET, lesson.pk, 0)


def test_snippet_of_a_slug_in_two_courses_needs_the_course():
    one, two = make_lesson(slug="same"), make_lesson(slug="same")
    student = make_member(one.course)
    two.course.memberships.create(user=student, role="student")
    caller, body = Caller(student), {"lesson": "same", "snippet": 0, "source": "x"}

    ambiguous = caller.post("runs/", body)
    named = caller.post("runs/", {**body, "course": two.course.slug})

    assert (ambiguous.status_code, list(ambiguous.json())) == (400, ["course"])
    assert named.status_code == 202
    assert Run.objects.get().lesson == two


def test_visible_cases_run():
    exercise = make_exercise()
    caller = Caller(make_member(exercise.course))

    answer = caller.post(f"{path_of(exercise)}runs/", {"source": "x = 1\n"})

    assert answer.status_code == 202
    assert Run.objects.get().version == exercise.published


def test_question_has_nothing_to_run():
    exercise = make_exercise(kind=Kind.NUMERIC)

    answer = Caller(make_member(exercise.course)).post(f"{path_of(exercise)}runs/", {"source": "x = 1\n"})

    assert answer.status_code == 409


def test_done_run_tells_what_it_gave():
    run = make_run()
    claim = claim_next("test")
    tensor = {"name": "x", "dtype": "float32", "shape": [1], "min": float("nan"), "max": 1.0, "mean": None}
    last = {**tensor, "name": "last value", "min": 2.0}
    result = {"stdout": "1\n", "error": None, "value": "2", "tensors": [last, tensor]}
    record_run(claim, Verdict.ACCEPTED, result=result, facts=RunFacts(evidence="for staff"))

    said = Caller(run.student).get(f"runs/{run.pk}/").json()

    assert (said["state"], said["verdict"], said["events_url"]) == ("graded", "accepted", None)
    assert (said["stdout"], said["value"], said["cases"]) == ("1\n", "2", [])
    assert (said["value_tensor"], said["tensors"]) == (last, [{**tensor, "min": "nan"}])
    assert "for staff" not in str(said)


def test_third_run_at_once_is_told_when_to_come_back():
    caller = Caller(make_user())

    statuses = [caller.post("runs/", {"source": "x"}).status_code for _ in range(2)]
    refused = caller.post("runs/", {"source": "x"})

    assert statuses == [202, 202]
    assert (refused.status_code, refused["Retry-After"]) == (429, "2")
    assert Run.objects.filter(state=State.QUEUED).count() == 2


def test_run_of_another_is_not_found_even_for_staff():
    course = make_course()
    run = make_run(student=make_member(course))

    assert Caller(make_member(course, role="instructor")).get(f"runs/{run.pk}/").status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "source"),
        ({"source": 7}, "source"),
        ({"source": "\0"}, "source"),
        ({"source": "x" * (256 * 1024 + 1)}, "source"),
        ({"source": "x", "snippet": 0}, "snippet"),
        ({"source": "x", "course": "a"}, "course"),
        ({"source": "x", "lesson": 7, "snippet": 0}, "lesson"),
        ({"source": "x", "lesson": "", "snippet": 0}, "lesson"),
        ({"source": "x", "lesson": "doubling"}, "snippet"),
        ({"source": "x", "lesson": "doubling", "snippet": 1}, "snippet"),
        ({"source": "x", "lesson": "doubling", "snippet": -1}, "snippet"),
        ({"source": "x", "lesson": "doubling", "snippet": "0"}, "snippet"),
        ({"source": "x", "lesson": "doubling", "snippet": True}, "snippet"),
        ({"source": "x", "lesson": "doubling", "snippet": 10**30}, "snippet"),
        ({"source": "x", "limits": {"cpu_seconds": 100}}, "limits"),
        ([], "body"),
    ],
)
def test_body_of_the_wrong_form_names_the_field_and_runs_nothing(body, field):
    lesson = make_lesson(slug="doubling")

    answer = Caller(make_member(lesson.course)).post("runs/", body)

    assert (answer.status_code, list(answer.json())) == (400, [field])
    assert not Run.objects.exists()


@pytest.mark.parametrize("lesson", ["nothing", "foreign", "n\u00f6"])
def test_lesson_of_others_is_not_found(lesson):
    make_lesson(slug="foreign")

    assert Caller(make_user()).post("runs/", {"source": "x", "lesson": lesson, "snippet": 0}).status_code == 404
