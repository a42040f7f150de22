"""Cancel and take back on pages."""

import pytest

from exercises.choices import State
from exercises.models import Grading
from exercises.services import claim_next, submit
from tests.exercises.learn.people import expecting
from tests.factories import make_exercise, make_graded, make_run

HTMX = {"HX-Request": "true"}


def test_waiting_hand_in_can_be_taken_back_by_its_author(client, student, course):
    submission = submit(student, make_exercise(course), source="x")
    assert "Take back" in client.get(f"/submissions/{submission.pk}/panel/").content.decode()

    page = client.post(f"/submissions/{submission.pk}/withdraw/", headers=HTMX)

    assert Grading.objects.get(submission=submission).state == State.SUPERSEDED
    text = page.content.decode()
    assert "You took it back before it was judged. It costs no attempt." in text
    assert "Not judged" in text
    assert "autofocus" in text
    assert "data-live" not in text
    assert "Take back" not in text


def test_hand_in_being_judged_offers_no_way_back_and_says_how_far_it_is(client, student, course):
    submission = submit(student, make_exercise(course), source="x")
    claim_next("worker")

    page = client.post(f"/submissions/{submission.pk}/withdraw/", headers=HTMX)

    text = page.content.decode()
    assert "Running" in text
    assert "Take back" not in text
    assert "data-live" in text


def test_without_a_script_one_comes_back_to_the_page(client, student, course):
    submission = submit(student, make_exercise(course), source="x")

    assert client.post(f"/submissions/{submission.pk}/withdraw/")["Location"] == f"/submissions/{submission.pk}/"


@expecting(owner=302, classmate=404, stranger=404, teacher=404)
def test_only_its_author_takes_a_hand_in_back(client, people, course, who, status):
    submission = submit(people["owner"], make_exercise(course), source="x")
    client.force_login(people[who])

    assert client.post(f"/submissions/{submission.pk}/withdraw/").status_code == status
    assert (Grading.objects.get(submission=submission).state == State.SUPERSEDED) is (who == "owner")


def test_staff_who_look_at_a_waiting_hand_in_see_no_such_button(client, people, course):
    submission = submit(people["owner"], make_exercise(course), source="x")
    client.force_login(people["teacher"])

    assert "Take back" not in client.get(f"/submissions/{submission.pk}/").content.decode()


def test_judged_hand_in_has_no_such_button(client, student, course):
    submission = make_graded(student, make_exercise(course))

    assert "Take back" not in client.get(f"/submissions/{submission.pk}/").content.decode()


def test_waiting_run_says_its_place_and_is_cancelled(client, student):
    make_run()
    run = make_run(student)
    assert "Waiting: number 2 in the queue" in client.get(f"/runs/{run.pk}/panel/").content.decode()

    page = client.post(f"/runs/{run.pk}/cancel/", headers=HTMX)

    text = page.content.decode()
    assert "You cancelled it before it was done." in text
    assert "data-live" not in text
    assert "left nothing" not in text


@expecting(owner=302, classmate=404, stranger=404, teacher=404)
def test_only_who_started_a_run_cancels_it(client, people, course, who, status):
    run = make_run(people["owner"])
    client.force_login(people[who])

    assert client.post(f"/runs/{run.pk}/cancel/").status_code == status


@pytest.mark.parametrize("address", ["/runs/{}/cancel/", "/submissions/{}/withdraw/"])
def test_nothing_is_taken_back_by_following_a_link(client, student, course, address):
    assert client.get(address.format(1)).status_code == 405
