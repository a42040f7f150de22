import pytest

from exercises.queries import head_of
from exercises.services import publish, save_revision
from tests.exercises.authoring import NUMERIC, NUMERIC_FILES, certify, make_author, make_working_copy
from tests.exercises.teach.authoring_requests import address, said
from tests.factories import make_course, make_submission

pytestmark = pytest.mark.django_db
SEVEN = {"exercise.yaml": NUMERIC.replace("answer: 5", "answer: 7")}


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
    """Published with the answer 5; the working copy says 7."""
    exercise = make_working_copy(course, author=author)
    certify(exercise)
    publish(exercise, author=author)
    save_revision(exercise, files=SEVEN, based_on=1, author=author)
    exercise.refresh_from_db()
    return exercise


def test_history_names_who_saved_and_what_became_a_version(client, exercise, author):
    response = client.get(address("history", exercise))

    rows = response.context["revisions"]
    assert [(row["revision"].number, row["version"] and row["version"].number) for row in rows] == [(2, None), (1, 1)]
    assert str(author) in response.content.decode()


@pytest.mark.parametrize(("older", "newer"), [("r1", "r2"), ("v1", "r2")])
def test_two_are_compared(client, exercise, older, newer):
    (diff,) = client.get(f"{address('history', exercise)}?older={older}&newer={newer}").context["diffs"]

    changed = [(line.sign, line.text) for line in diff.lines if line.look in ("added", "removed")]
    assert changed == [("−", "answer: 5"), ("+", "answer: 7")]


@pytest.mark.parametrize(
    ("names", "status"), [("older=r9&newer=r1", 404), ("older=v9&newer=r1", 404), ("older=x", 200)]
)
def test_what_is_not_there_is_not_compared(client, exercise, names, status):
    assert client.get(f"{address('history', exercise)}?{names}").status_code == status


@pytest.mark.parametrize("kept", ["r1", "v1"])
def test_older_one_is_restored_as_the_newest(client, exercise, kept):
    client.post(address("restore", exercise), {"kept": kept})

    head = head_of(exercise)
    assert (head.number, head.files) == (3, NUMERIC_FILES)


def test_restoring_upon_an_older_head_is_told(client, exercise):
    response = client.post(address("restore", exercise), {"kept": "r1", "based_on": "1"}, follow=True)

    assert "saved this exercise meanwhile" in said(response)[0]
    assert head_of(exercise).files == SEVEN


def test_regrade_is_looked_at_and_applied(client, exercise, author, course):
    handed_in = make_submission(exercise=exercise, source=None, response="7")
    certify(exercise)
    publish(exercise, author=author)
    assert client.get(address("regrade", exercise)).context["due"] == 1

    client.post(address("regrade", exercise))

    panel = client.get(address("regrade", exercise)).context["panel"]
    (row,) = panel.rows
    assert (row.before, row.after, row.difference, row.why) == ("0 / 1", "1 / 1", "+1", "Not yet right → Accepted")
    assert (panel.may_apply, panel.gain, panel.lose) == (True, 1, 0)
    assert handed_in.gradings.get(in_force=True).verdict == "wrong_answer"
    client.post(address("apply-regrade", exercise), {"regrade": panel.id})
    assert handed_in.gradings.get(in_force=True).verdict == "accepted"
    page = client.get(address("regrade", exercise)).content.decode()
    assert "In effect" in page
    assert "There is nothing to regrade." in page


def test_regrade_is_cancelled_and_changes_nothing(client, exercise, author):
    handed_in = make_submission(exercise=exercise, source=None, response="7")
    certify(exercise)
    publish(exercise, author=author)
    client.post(address("regrade", exercise))
    panel = client.get(address("regrade", exercise)).context["panel"]

    client.post(address("cancel-regrade", exercise), {"regrade": panel.id})

    assert handed_in.gradings.get().verdict == "wrong_answer"
    assert "Cancelled" in client.get(address("regrade", exercise)).content.decode()


def test_regrade_of_what_is_not_published_is_refused(client, course, author):
    exercise = make_working_copy(course, slug="other")

    response = client.post(address("regrade", exercise), follow=True)

    assert "not published" in said(response)[0]


def test_regrade_of_another_exercise_is_not_applied(client, exercise, author):
    certify(exercise)
    publish(exercise, author=author)
    client.post(address("regrade", exercise))
    other = make_working_copy(exercise.course, slug="other")

    response = client.post(address("apply-regrade", other), {"regrade": exercise.regrades.get().pk})

    assert response.status_code == 404
