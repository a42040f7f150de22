"""The inbox: what one was told, how much of it is new, and that nobody else reads it."""

import pytest

from exercises.choices import Kind, Shown
from exercises.models import Assignment, Notice, Submission
from exercises.services import review, submit, tell
from tests.factories import make_exercise

UNREAD = '<span class="chip filled number">'


def page(client, address="/inbox/"):
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_empty_inbox_says_what_will_be_there(client, student):
    text = page(client)

    assert "Nothing yet." in text
    assert UNREAD not in text


def test_new_lines_are_counted_on_every_page_until_each_was_opened(client, student):
    told = tell(student.pk, "A score changed.", url="/progress/")
    tell(student.pk, "A word without a page.")

    assert f"{UNREAD}2<" in page(client, "/progress/")
    first, again = page(client), page(client)
    opened = client.post(f"/inbox/{told.pk}/")
    after = page(client)

    assert first.index("A word without") < first.index("A score changed")
    assert (first.count(">New<"), again.count(">New<"), after.count(">New<")) == (2, 2, 1)
    assert opened["Location"] == "/progress/"
    assert '<a class="title" href="/progress/">A score changed.</a>' in after
    assert f"{UNREAD}1<" in after


def test_all_are_read_at_once(client, student):
    for number in range(3):
        tell(student.pk, f"Line {number}.")

    client.post("/inbox/read/")

    assert not Notice.objects.filter(read_at=None).exists()
    assert "Mark all as read" not in page(client)


def test_line_without_a_page_leads_back_to_the_inbox(client, student):
    assert client.post(f"/inbox/{tell(student.pk, 'A word.').pk}/")["Location"] == "/inbox/"


def test_opening_again_keeps_the_time_of_the_first(client, student):
    notice = tell(student.pk, "A score changed.")
    client.post(f"/inbox/{notice.pk}/")
    read_at = Notice.objects.get(pk=notice.pk).read_at

    client.post(f"/inbox/{notice.pk}/")
    client.post("/inbox/read/")

    assert Notice.objects.get(pk=notice.pk).read_at == read_at


def test_another_reads_and_changes_nothing_of_it(client, people, student):
    tell(people["classmate"].pk, "For the classmate.")

    assert "For the classmate." not in page(client)
    assert client.post(f"/inbox/{Notice.objects.get().pk}/").status_code == 404
    client.post("/inbox/read/")
    assert Notice.objects.get().read_at is None


def test_long_inbox_comes_in_pages(client, student):
    notices = [tell(student.pk, f"Line {number}.") for number in range(51)]

    text = page(client)

    assert "Line 0." not in text
    assert f"/inbox/?before={notices[1].pk}" in text
    assert "Line 0." in page(client, f"/inbox/?before={notices[1].pk}")
    assert "Nothing is older" in page(client, f"/inbox/?before={notices[0].pk}")


@pytest.mark.parametrize("before", ["", "x", "-1", "9" * 30])
def test_what_is_no_number_shows_the_newest(client, student, before):
    tell(student.pk, "A score changed.")

    assert "A score changed." in page(client, f"/inbox/?before={before}")


@pytest.mark.parametrize("lines", [1, 3])
def test_number_of_queries_does_not_grow(student, queries_of, lines):
    for number in range(lines):
        tell(student.pk, f"Line {number}.")

    assert queries_of("/inbox/") == 4


@pytest.mark.parametrize(
    ("comment", "said"), [("", "2.5 of 3 points."), ("Well put.", "2.5 of 3 points, with a comment.")]
)
def test_judging_by_hand_is_told_to_the_student(people, comment, said):
    exercise = make_exercise(people["course"], kind=Kind.EXPLAIN)
    submission = submit(people["owner"], exercise, response="Because.")

    points = {"Names the spread": "1.5", "Names the softmax": "1"}
    review(submission, reviewer=people["teacher"], points=points, comment=comment)

    notice = Notice.objects.get()
    assert (notice.user, notice.url) == (people["owner"], f"/submissions/{submission.pk}/")
    assert notice.text == f"“{exercise.published.title}” was judged by hand: {said}"


def test_points_that_an_assignment_keeps_back_are_not_told(people):
    exercise = make_exercise(people["course"], kind=Kind.EXPLAIN)
    submission = submit(people["owner"], exercise, response="Because.")
    assignment = Assignment.objects.create(
        course=people["course"], title="First", slug="first", outcomes_shown=Shown.RELEASED
    )
    Submission.objects.filter(pk=submission.pk).update(assignment=assignment)
    submission.refresh_from_db()

    points = {"Names the spread": "1.5", "Names the softmax": "1"}
    review(submission, reviewer=people["teacher"], points=points)

    assert Notice.objects.get().text == f"“{exercise.published.title}” was judged by hand."
