"""The line of each request, and the id that leads from it to what it caused."""

import logging

import pytest

from tests import factories


def records(caplog, message):
    return [record for record in caplog.records if record.getMessage() == message]


def test_answer_has_a_line_with_its_route_and_no_address(db, client, caplog):
    caplog.set_level(logging.INFO)

    answer = client.get("/join/a-secret-token/?q=word")

    [record] = records(caplog, "answered")
    assert (record.method, record.route, record.status) == ("GET", "learn:join", answer.status_code)
    assert "a-secret-token" not in str(vars(record))
    assert len(answer.headers["X-Request-ID"]) == 32


def test_watching_leaves_no_line(db, client, caplog):
    caplog.set_level(logging.INFO)

    client.get("/healthz")

    assert records(caplog, "answered") == []


@pytest.mark.parametrize(
    ("behind_proxy", "given", "is_kept"),
    [
        (True, "0123456789abcdef", True),
        (False, "0123456789abcdef", False),
        (True, "short", False),
        (True, "0123456789 ERROR", False),
        (True, "0" * 65, False),
    ],
)
def test_only_the_id_of_a_trusted_proxy_is_kept(db, client, settings, behind_proxy, given, is_kept):
    settings.BEHIND_PROXY = behind_proxy

    answer = client.get("/healthz", headers={"X-Request-ID": given})

    assert (answer.headers["X-Request-ID"] == given) is is_kept


@pytest.mark.django_db(transaction=True)
def test_hand_in_has_a_line_that_leads_to_its_work(client, caplog):
    caplog.set_level(logging.INFO)
    exercise = factories.make_exercise()
    student = factories.make_member(exercise.course)
    client.force_login(student)

    client.post(f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/submit/", {"source": "def double(x): ..."})

    submission = student.submissions.get()
    [record] = records(caplog, "handed in")
    assert (record.submission, record.work) == (submission.pk, f"grading-{submission.gradings.get().pk}")
