import pytest

from exercises.models import Activity, Draft
from exercises.services import save_draft
from tests.exercises.learn.people import expecting
from tests.factories import make_exercise, publish_version

HTMX = {"HX-Request": "true"}
HINTS = {"hints": ["First **one**.", "Second one."]}


def base(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_draft_is_saved_for_members(client, people, course, who, status):
    client.force_login(people[who])

    response = client.post(f"{base(make_exercise(course))}draft/", {"source": "x", "revision": "0"})

    assert response.status_code == status


def test_draft_is_saved_and_its_revision_told(client, student, course):
    response = client.post(f"{base(make_exercise(course))}draft/", {"source": "x\r\n", "revision": "0"})

    draft = Draft.objects.get()
    assert (draft.student, draft.source) == (student, "x\n")
    assert response.json() == {"revision": 1, "saved_at": draft.saved_at.isoformat()}


def test_stale_tab_is_told_what_stands(client, student, course):
    exercise = make_exercise(course)
    save_draft(student, exercise, source="newer", revision=0)

    response = client.post(f"{base(exercise)}draft/", {"source": "older", "revision": "0"})

    assert response.status_code == 409
    assert response.json()["source"] == "newer"
    assert Draft.objects.get().source == "newer"


@pytest.mark.parametrize("seen", ["1", "2", "3", "", "x"])
def test_who_writes_on_at_a_version_that_was_corrected_is_told(client, student, course, seen):
    exercise = make_exercise(course)
    publish_version(exercise)

    answer = client.post(f"{base(exercise)}draft/", {"source": "x", "revision": "0", "version": seen}).json()

    assert answer.get("corrected", False) == (seen == "1")
    page = client.get(base(exercise))
    assert (page.context["draft"]["source"], page.context["page"].version) == ("x", 2)


def test_version_that_is_judged_the_same_is_no_correction(client, student, course):
    exercise = make_exercise(course, version={"grading_hash": "same"})
    publish_version(exercise, grading_hash="same")

    answer = client.post(f"{base(exercise)}draft/", {"source": "x", "revision": "0", "version": "1"}).json()

    assert "corrected" not in answer


def test_wrong_form_of_a_draft_is_refused(client, student, course):
    address = f"{base(make_exercise(course))}draft/"
    for sent in (
        {"source": "x"},
        {"source": "x", "revision": "-1"},
        {"revision": "0"},
        {"source": "\0", "revision": "0"},
    ):
        assert client.post(address, sent).status_code == 400
    assert not Draft.objects.exists()


def test_drafts_never_hand_in(client, student, course):
    exercise = make_exercise(course)
    client.post(f"{base(exercise)}draft/", {"source": "x", "revision": "0"})

    assert not exercise.submissions.exists()


def test_hints_open_one_after_another_and_are_recorded(client, student, course):
    exercise = make_exercise(course, definition=HINTS)
    before = client.get(base(exercise)).content.decode()

    first = client.post(f"{base(exercise)}hints/1/", headers=HTMX).content.decode()

    assert "First" not in before
    assert "First <strong>one</strong>." in first
    assert "Second one." not in first
    assert f"{base(exercise)}hints/2/" in first
    assert Activity.objects.get().number == 1


def test_later_hint_is_not_opened_first(client, student, course):
    exercise = make_exercise(course, definition=HINTS)

    response = client.post(f"{base(exercise)}hints/2/", headers=HTMX)

    assert response.status_code == 409
    assert "Second one." not in response.content.decode()
    assert not Activity.objects.exists()


def test_hint_without_script_leads_back_to_the_hints(client, student, course):
    exercise = make_exercise(course, definition=HINTS)

    response = client.post(f"{base(exercise)}hints/1/")

    assert response["Location"] == f"{base(exercise)}#hints"


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_hints_open_for_members(client, people, course, who, status):
    exercise = make_exercise(course, definition=HINTS)
    client.force_login(people[who])

    assert client.post(f"{base(exercise)}hints/1/", headers=HTMX).status_code == status
