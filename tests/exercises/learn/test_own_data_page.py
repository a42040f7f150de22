"""One's own data: the copy, what is not in it, and the way to have it removed."""

import json
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from exercises.choices import Kind, Shown
from exercises.models import Assignment, Override, Submission, User
from exercises.services import ask, open_hint, save_draft, submit, tell
from exercises.services.spaced_reviews import plan_review
from graders.outcomes import Feedback, Verdict
from tests.access import dumped
from tests.factories import make_case, make_exercise, make_graded, make_member, make_outcome, make_run

SECTIONS = {
    "profile",
    "memberships",
    "submissions",
    "refused_submissions",
    "drafts",
    "runs",
    "hints_and_solutions",
    "spaced_reviews",
    "assignments",
    "scores_by_hand",
    "notices",
    "questions",
    "replies",
    "comments",
    "api_tokens",
    "authored",
    "acts_recorded",
}
ERASE = "/your-data/erase/"


def copy_of(client):
    response = client.get("/your-data/download/")
    assert response.streaming
    assert response["Content-Disposition"] == 'attachment; filename="quizsite-own-data.json"'
    return json.loads(b"".join(response.streaming_content))


def test_copy_of_a_new_account_is_whole_json(client, student):
    copy = copy_of(client)

    assert set(copy) == SECTIONS
    assert copy["profile"][0]["username"] == student.username
    assert copy["submissions"] == []


def test_copy_holds_what_one_wrote_and_what_came_of_it(client, student, course):
    exercise = make_exercise(course, definition={"hints": ["one"]})
    outcome = make_outcome(feedback=Feedback(summary="Well done."), cases=(make_case(name="two tokens"),))
    submission = make_graded(student, exercise, source="x = '☃'\n", outcome=outcome, printed="so\n")
    submit(student, make_exercise(course, kind=Kind.TEXT), response="softmax")
    save_draft(student, exercise, source="draft = 1\n", revision=0)
    open_hint(student, exercise, number=1)
    make_run(student=student, source="print(2)\n")
    plan_review(student, exercise)
    tell(student.pk, "Told.")
    ask(student, submission, kind="question", text="Why?")

    copy = copy_of(client)

    first, second = copy["submissions"]
    assert (first["receipt"], first["source"], second["response"]) == (submission.receipt, "x = '☃'\n", "softmax")
    assert (first["outcome"]["verdict"], first["outcome"]["score"]) == ("accepted", "4.00")
    assert (first["outcome"]["feedback"]["summary"], first["outcome"]["printed"]) == ("Well done.", "so\n")
    assert first["outcome"]["cases"][0]["name"] == "two tokens"
    assert copy["drafts"][0]["source"] == "draft = 1\n"
    assert copy["hints_and_solutions"][0]["number"] == 1
    assert copy["spaced_reviews"][0]["exercise__slug"] == exercise.slug
    assert copy["runs"][0]["source"] == "print(2)\n"
    assert (copy["notices"][0]["text"], copy["questions"][0]["text"]) == ("Told.", "Why?")
    assert copy["memberships"][0]["course__slug"] == course.slug


def test_copy_tells_nothing_of_hidden_cases_nor_of_others(client, student, course):
    exercise = make_exercise(course)
    hidden = make_case(name="canary name", visible=False, verdict=Verdict.WRONG_ANSWER)
    kept = {"name": "canary", "args": ["canary"], "expected": "canary"}
    make_graded(student, exercise, outcome=make_outcome(cases=(hidden,), hidden_case=kept))
    make_graded(make_member(course, first_name="canary"), exercise, source="# canary\n")

    [row] = copy_of(client)["submissions"]

    assert row["outcome"]["cases"] == [{"visible": False, "verdict": "wrong_answer", "points": "1.00"}]
    assert "canary" not in dumped(client.get("/your-data/download/"))


@pytest.mark.parametrize(
    ("shown", "is_there"),
    [(Shown.AT_ONCE, True), (Shown.CLOSED, False), (Shown.RELEASED, False), (Shown.NEVER, False)],
)
def test_copy_says_no_more_than_an_assignment_shows(client, student, course, shown, is_there):
    exercise = make_exercise(course)
    closes_at = timezone.now() + timedelta(days=1)
    assignment = Assignment.objects.create(
        course=course, title="First", slug="first", outcomes_shown=shown, closes_at=closes_at
    )
    submission = make_graded(student, exercise)
    Submission.objects.filter(pk=submission.pk).update(assignment=assignment)
    Override.objects.create(
        student=student, exercise=exercise, assignment=assignment, score=1, max_score=4, reason="Late."
    )

    copy = copy_of(client)

    assert (copy["submissions"][0]["outcome"] is not None) == is_there
    assert ("score" in copy["scores_by_hand"][0]) == is_there


def test_page_asks_for_the_password_where_there_is_one(client, student):
    assert f"Type your user name, {student.username}" in client.get("/your-data/").content.decode()
    student.set_password("a long password")
    student.save()
    client.force_login(student)

    text = client.get("/your-data/").content.decode()

    assert 'type="password" id="proof"' in text


def test_erasing_signs_out_and_says_so(client, student):
    page = client.post(ERASE, {"proof": student.username}, follow=True)

    assert page.redirect_chain == [("/account/login/", 302)]
    assert "Your account is erased." in page.content.decode()
    assert client.get("/your-data/")["Location"].startswith("/account/login/")
    assert not User.objects.get(pk=student.pk).is_active


def test_wrong_proof_is_refused_and_keeps_one_signed_in(client, student):
    response = client.post(ERASE, {"proof": "somebody"})

    assert response.status_code == 400
    assert client.get("/your-data/").status_code == 200


def test_guessing_is_slowed_down(client, student, settings):
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    cache.clear()
    for _ in range(10):
        assert client.post(ERASE, {"proof": "somebody"}).status_code == 400

    response = client.post(ERASE, {"proof": student.username})

    assert (response.status_code, response["Retry-After"]) == (429, "60")
    assert User.objects.get(pk=student.pk).is_active


def test_staff_see_that_a_submission_was_emptied(client, people):
    code = make_graded(people["owner"], make_exercise(people["course"]), source="secret = 1\n")
    text = submit(people["owner"], make_exercise(people["course"], kind=Kind.TEXT), response="softmax")
    client.force_login(people["owner"])
    client.post(ERASE, {"proof": people["owner"].username})
    client.force_login(people["teacher"])

    for submission in (code, text):
        page = client.get(f"/submissions/{submission.pk}/").content.decode()
        assert "had their account erased" in page
        assert "secret = 1" not in page
        assert client.get(f"/submissions/{submission.pk}/panel/").status_code == 200
        assert client.get(f"/api/v1/submissions/{submission.pk}/").status_code == 200
    assert client.get(f"/teach/{people['course'].slug}/").status_code == 200
