import pytest
from django.test import Client

from exercises.choices import Kind
from exercises.models import Refusal, Submission
from exercises.services.sources import LARGEST_SOURCE_BYTES
from tests.exercises.learn.people import expecting
from tests.factories import make_exercise, make_graded, publish_version

HTMX = {"HX-Request": "true"}


def submit_address(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/submit/"


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_members_hand_in(client, people, course, who, status):
    client.force_login(people[who])

    response = client.post(submit_address(make_exercise(course)), {"source": "x = 1"}, headers=HTMX)

    assert response.status_code == status
    assert Submission.objects.count() == (status == 200)


def test_code_is_handed_in_as_it_was_typed(client, student, course):
    client.post(submit_address(make_exercise(course)), {"source": " x = 1\r\n\r\n"})

    assert Submission.objects.get().source == " x = 1\n\n"


def test_hand_in_without_script_leads_to_its_page(client, student, course):
    response = client.post(submit_address(make_exercise(course)), {"source": "x = 1"})

    assert response["Location"] == f"/submissions/{Submission.objects.get().pk}/"


def test_hand_in_with_script_gives_a_live_panel(client, student, course):
    text = client.post(submit_address(make_exercise(course)), {"source": "x = 1"}, headers=HTMX).content.decode()

    submission = Submission.objects.get()
    assert f'hx-get="/submissions/{submission.pk}/panel/"' in text
    assert "data-live" in text
    assert 'data-events="/events/' in text
    assert submission.receipt in text
    assert "Handed in: next in the queue" in text


def test_number_is_judged_at_once(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)

    text = client.post(submit_address(exercise), {"response": "5"}, headers=HTMX).content.decode()

    assert "Accepted" in text
    assert "data-live" not in text
    assert 'data-announce="Accepted. 1 of 1 points. That is right."' in text


def test_choice_is_judged_at_once_with_the_authors_words(client, student, course):
    exercise = make_exercise(course, kind=Kind.CHOICE)
    page = client.get(submit_address(exercise).removesuffix("submit/"))
    wrong = next(option.id for option in page.context["page"].question.options if "chance" in option.text)

    text = client.post(submit_address(exercise), {"response": wrong}, headers=HTMX).content.decode()

    assert "Not yet right" in text
    assert "<p>No.</p>" in text


def test_several_choices_are_sent_as_a_list(client, student, course):
    exercise = make_exercise(course, kind=Kind.CHOICE, definition={"multiple": True})
    page = client.get(submit_address(exercise).removesuffix("submit/"))
    both = [option.id for option in page.context["page"].question.options]

    client.post(submit_address(exercise), {"response": both}, headers=HTMX)

    assert Submission.objects.get().response == both


def test_same_key_hands_in_once(client, student, course):
    address = submit_address(make_exercise(course))
    for _ in range(2):
        client.post(address, {"source": "x = 1"}, headers={**HTMX, "Idempotency-Key": "one"})

    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    ("kind", "sent", "words"),
    [
        (Kind.CODE, {}, "source"),
        (Kind.CODE, {"source": "x\0"}, "NUL"),
        (Kind.CODE, {"source": "x" * (LARGEST_SOURCE_BYTES + 1)}, "bytes"),
        (Kind.CODE, {"source": "x", "version": "9"}, "version"),
        (Kind.CODE, {"source": "x", "version": "one"}, "version"),
        (Kind.CHOICE, {}, "response"),
        (Kind.CHOICE, {"response": "no such id"}, "option"),
        (Kind.NUMERIC, {"response": "five"}, "number"),
        (Kind.NUMERIC, {"response": ""}, ""),
    ],
)
def test_wrong_form_is_refused_with_words_and_nothing_is_stored(client, student, course, kind, sent, words):
    response = client.post(submit_address(make_exercise(course, kind=kind)), sent, headers=HTMX)

    assert response.status_code == 400
    assert words in response.content.decode()
    assert "What you wrote is still in the page." in response.content.decode()
    assert not Submission.objects.exists()


def test_refusal_without_script_shows_what_was_sent(client, student, course):
    exercise = make_exercise(course, max_attempts=1)
    make_graded(student, exercise)

    response = client.post(submit_address(exercise), {"source": "second <b>"})

    assert response.status_code == 409
    assert "second &lt;b&gt;" in response.content.decode()
    assert Refusal.objects.get().source == "second <b>"


def test_changed_exercise_asks_for_a_reload(client, student, course):
    exercise = make_exercise(course)
    publish_version(exercise)

    response = client.post(submit_address(exercise), {"source": "x", "version": "1"}, headers=HTMX)

    assert response.status_code == 409
    page = response.content.decode()
    assert "was corrected" in page
    assert "Move over to the corrected version" in page


def test_get_hands_nothing_in(client, student, course):
    assert client.get(submit_address(make_exercise(course))).status_code == 405


def test_signed_out_fragment_is_told_so_in_place(client, people, course):
    response = client.post(submit_address(make_exercise(course)), {"source": "x"}, headers=HTMX)

    assert response.status_code == 401
    assert "You are signed out." in response.content.decode()
    assert not Submission.objects.exists()


def test_hand_in_needs_the_token_against_forged_forms(course, people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["owner"])

    response = client.post(submit_address(make_exercise(course)), {"source": "x"})

    assert response.status_code == 403
    assert "This page was too old" in response.content.decode()


def test_form_that_is_sent_twice_hands_in_once_without_a_script(client, student, course):
    exercise = make_exercise(course)
    fields = {"source": "x = 1\n", "idempotency_key": "of-the-page"}

    first, second = (client.post(submit_address(exercise), fields) for _ in range(2))

    assert first["Location"] == second["Location"]
    assert Submission.objects.count() == 1


def test_form_that_was_changed_hands_in_anew_without_a_script(client, student, course):
    exercise = make_exercise(course)
    for source in ("x = 1\n", "x = 2\n"):
        client.post(submit_address(exercise), {"source": source, "idempotency_key": "of-the-page"})

    assert Submission.objects.count() == 2
