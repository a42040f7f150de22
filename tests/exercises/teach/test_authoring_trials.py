import pytest

from exercises.choices import Kind, RunKind
from exercises.models import Grading, Run, Submission
from exercises.queries import head_of
from exercises.services import create_exercise, save_revision
from exercises.teach.authoring.beginnings import beginning
from tests.exercises.authoring import CODE_FILES, UNREADABLE_FILES, make_author, make_working_copy
from tests.exercises.teach.authoring_requests import HTMX, address, form_of
from tests.factories import make_course

pytestmark = pytest.mark.django_db
READABLE = {**CODE_FILES, "cases.py": "def visible():\n    return [1]\n"}


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course, client):
    author = make_author(course)
    client.force_login(author)
    return author


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, files=READABLE, author=author, slug="double")


def test_trial_page_is_the_students_with_the_working_copy(client, exercise):
    page = client.get(address("try", exercise)).content.decode()

    assert "Nothing here counts." in page
    assert "Double it" in page
    assert f'formaction="{address("try-run", exercise)}"' in page
    assert "/submit/" not in page
    # What one tries stays in the browser, for each exercise apart.
    assert f'data-local-draft="{address("try", exercise)}"' in page


def test_trial_page_of_what_cannot_be_read_names_the_problems(client, exercise, author):
    save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)

    assert "`answer`" in client.get(address("try", exercise)).content.decode()


def test_run_of_the_working_copy_counts_nowhere(client, exercise, author):
    response = client.post(address("try-run", exercise), {"source": "def double(x): ..."}, headers=HTMX)

    run = Run.objects.get()
    exercise.refresh_from_db()
    assert "run-panel" in response.content.decode()
    assert (run.student, run.kind, run.version.number) == (author, RunKind.CASES, 1)
    assert (exercise.published, Submission.objects.count(), Grading.objects.count()) == (None, 0, 0)


@pytest.mark.parametrize(("response", "word"), [("5", "Accepted"), ("6", "Not yet right")])
def test_response_is_judged_by_the_files_in_the_form(client, course, author, response, word):
    exercise = make_working_copy(course, author=author)
    form = form_of(exercise, exercise_yaml=head_of(exercise).files["exercise.yaml"].replace("answer: 5", "answer: 6"))

    saved = client.post(address("try-answer", exercise), {"response": response}, headers=HTMX)
    unsaved = client.post(address("try-answer", exercise), {**form, "response": response}, headers=HTMX)

    assert word in saved.content.decode()
    assert word not in unsaved.content.decode()
    assert Submission.objects.count() == 0


def test_response_without_the_script_is_judged_on_the_page(client, course, author):
    exercise = make_working_copy(course, author=author)

    page = client.post(address("try-answer", exercise), {"response": "5"}).content.decode()

    assert "Accepted" in page
    assert "a trial: nothing was handed in" in page


def test_explanation_is_shown_beside_the_model_answer(client, course, author):
    exercise = create_exercise(course, "why", files=beginning(Kind.EXPLAIN, "Why"), author=author)
    # The students' way to a preview is none before there are students.
    assert "/preview/" not in client.get(address("try", exercise)).content.decode()

    page = client.post(address("try-answer", exercise), {"response": "Because."}, headers=HTMX).content.decode()

    assert "A person would read this now." in page


def test_response_that_cannot_be_one_is_refused(client, course, author):
    exercise = create_exercise(course, "which", files=beginning(Kind.CHOICE, "Which"), author=author)

    response = client.post(address("try-answer", exercise), {"response": "nothing"}, headers=HTMX)

    assert response.status_code == 400


def test_code_is_run_and_not_answered(client, exercise):
    assert client.post(address("try-answer", exercise), {"response": "5"}, headers=HTMX).status_code == 400
