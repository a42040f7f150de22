import pytest

from exercises.blobs import pack
from exercises.choices import Kind, RunKind, State
from exercises.models import Run
from tests.exercises.learn.people import expecting
from tests.factories import make_exercise, make_run

HTMX = {"HX-Request": "true"}
RESULT = {"stdout": "", "error": None, "value": None, "tensors": [], "cases": []}


def make_done(student, verdict="accepted", **result):
    return make_run(student, state=State.GRADED, verdict=verdict, result=pack({**RESULT, **result}))


def panel_of(client, run):
    return client.get(f"/runs/{run.pk}/panel/").context["panel"]


@expecting(owner=200, classmate=404, stranger=404, teacher=404)
@pytest.mark.parametrize("part", ["", "panel/"])
def test_run_is_for_the_one_who_started_it(client, people, part, who, status):
    run = make_run(people["owner"])
    client.force_login(people[who])

    assert client.get(f"/runs/{run.pk}/{part}").status_code == status


def test_playground_runs_what_was_written(client, student):
    response = client.post("/playground/", {"source": "print(1)\r\n"}, headers=HTMX)

    run = Run.objects.get()
    assert (run.kind, run.source) == (RunKind.FREE, "print(1)\n")
    assert f'id="run-{run.pk}"' in response.content.decode()


def test_playground_without_script_leads_to_the_run(client, student):
    response = client.post("/playground/", {"source": "print(1)"})

    assert response["Location"] == f"/runs/{Run.objects.get().pk}/"


def test_too_many_runs_are_refused_with_a_time(client, student):
    for _ in range(2):
        client.post("/playground/", {"source": "1"})

    response = client.post("/playground/", {"source": "1"}, headers=HTMX)

    assert response.status_code == 429
    assert response["Retry-After"] == "2"
    assert "not done yet" in response.content.decode()


def test_visible_cases_run_without_a_hand_in(client, student, course):
    exercise = make_exercise(course)

    response = client.post(f"/courses/{course.slug}/exercises/{exercise.slug}/run/", {"source": "1"}, headers=HTMX)

    run = Run.objects.get()
    assert (run.kind, run.version) == (RunKind.CASES, exercise.published)
    assert response.status_code == 200
    assert not exercise.submissions.exists()


def test_question_has_nothing_to_run(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)

    response = client.post(f"/courses/{course.slug}/exercises/{exercise.slug}/run/", {"source": "1"}, headers=HTMX)

    assert response.status_code == 409


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_cases_run_for_members(client, people, course, who, status):
    exercise = make_exercise(course)
    client.force_login(people[who])

    response = client.post(f"/courses/{course.slug}/exercises/{exercise.slug}/run/", {"source": "1"}, headers=HTMX)

    assert response.status_code == status


def test_run_shows_printed_text_value_and_tensors(client, student):
    tensor = {"name": "w", "dtype": "float32", "shape": [2, 2], "min": 0.0, "max": 1.0, "mean": 0.5}
    run = make_done(
        student, stdout="<b>", value="tensor(3.)", tensors=[{**tensor, "preview": [[0.0, 1.0], [0.5, 1.0]]}]
    )

    page = client.get(f"/runs/{run.pk}/panel/")

    panel = page.context["panel"]
    assert panel.mark.word == "Ran"
    assert panel.value == "tensor(3.)"
    assert "&lt;b&gt;" in page.content.decode()
    [shown] = panel.tensors
    assert (shown.name, shown.form) == ("w", "float32 [2, 2]")
    assert shown.figures == "least 0 · largest 1 · mean 0.5"
    assert 'aria-label="w: float32 [2, 2], from 0 to 1"' in page.content.decode()


@pytest.mark.parametrize(
    ("shape", "preview", "form"),
    [
        ([], 3.0, "int64 []"),
        ([0], [], "int64 [0]"),
        ([20], [1, 2, 3, 4, 5, 6, 7, 8], "int64 [20], the beginning: [8]"),
        ([4, 2, 2], [[[1, 2], [3, 4]]], "int64 [4, 2, 2], the beginning: [1, 2, 2]"),
        ([4, 2, 2], [[1, 2], [3, 4]], "int64 [4, 2, 2], first slice"),
        ([5], None, "int64 [5]"),
        ([2], [[1], 2], "int64 [2]"),
    ],
)
def test_tensors_of_every_rank_are_shown(client, student, shape, preview, form):
    summary = {"name": "x", "dtype": "int64", "shape": shape, "min": 1.0, "max": 8.0, "mean": 2.0, "preview": preview}

    [shown] = panel_of(client, make_done(student, tensors=[summary])).tensors

    assert shown.form == form


def test_complex_numbers_stand_as_text(client, student):
    summary = {"name": "x", "dtype": "complex64", "shape": [2], "min": None, "max": None, "mean": None}

    [shown] = panel_of(client, make_done(student, tensors=[{**summary, "preview": ["(1+2j)", "1j"]}])).tensors

    assert (shown.number, shown.planes) == ("[(1+2j), 1j]", [])


def test_value_of_the_last_line_is_drawn_under_words(client, student):
    summary = {"name": "last value", "dtype": "int64", "shape": [2], "min": 1.0, "max": 2.0, "mean": 1.5}

    [shown] = panel_of(client, make_done(student, tensors=[{**summary, "preview": [1, 2]}])).tensors

    assert shown.name == "Value of the last line"


def test_run_shows_the_exception_with_its_line(client, student):
    error = {"type": "NameError", "message": "name 'y' is not defined", "traceback": "Traceback …", "line": 2}
    run = make_done(student, verdict="runtime_error", error=error)

    panel = panel_of(client, run)

    assert panel.mark.word == "Stopped by an error"
    shown = panel.feedback.error
    assert (shown.line, [part.text for part in shown.text], shown.is_placed) == (2, ["Traceback …"], False)


def test_run_that_hit_a_limit_says_which(client, student):
    error = {"type": "timed out", "message": "Stopped after 4 s.", "traceback": "", "line": None}

    panel = panel_of(client, make_done(student, verdict="time_limit", error=error))

    assert panel.mark.word == "Time limit"
    assert panel.feedback.summary == "Stopped after 4 s."
    assert panel.feedback.error is None


def test_run_that_left_nothing_says_so(client, student):
    run = make_done(student)

    assert "left nothing" in client.get(f"/runs/{run.pk}/panel/").content.decode()


def test_run_of_cases_shows_them(client, student, course):
    exercise = make_exercise(course)
    case = {
        "name": "one",
        "visible": True,
        "verdict": "wrong_answer",
        "points": 0,
        "max_points": 1,
        "feedback": {"stage": "shape", "summary": "The shape is another.", "hint": "", "cause": "", "details": {}},
    }
    result = pack({**RESULT, "cases": [case]})
    fields = {"state": State.GRADED, "verdict": "wrong_answer", "result": result, "version": exercise.published}
    run = make_run(student, kind=RunKind.CASES, **fields)

    page = client.get(f"/runs/{run.pk}/panel/")

    assert page.context["panel"].cases[0].name == "one"
    assert "The shape is another." in page.content.decode()
    assert "nothing was handed in" in page.content.decode()


def test_pending_run_is_live(client, student):
    assert "data-live" in client.get(f"/runs/{make_run(student).pk}/panel/").content.decode()
