"""Reading explanations by question: alike ones together, names hidden, a second reader, and taking back."""

from decimal import Decimal

import pytest
from django.urls import reverse

from exercises.choices import Kind, Role, State
from exercises.models import Grading, Submission
from exercises.queries.reviewing import review_queues
from exercises.services import review, submit
from exercises.teach.assistance.likeness import likeness_groups
from tests.factories import make_course, make_exercise, make_member

SPREAD = (
    "Dividing by the square root of d keeps the variance at one.",
    "It keeps the variance of the scores at one, dividing by the square root of d.",
    "Dividing by the root of d keeps the variance at one",
)
OTHER = "I do not know."
FULL = {"points-0": "2", "points-1": "1"}
POINTS = {"Names the spread": "2", "Names the softmax": "1"}


@pytest.fixture
def exercise(course):
    return make_exercise(course, kind=Kind.EXPLAIN, version={"title": "Why divide"})


@pytest.fixture
def submissions(course, exercise):
    texts = (SPREAD[0], OTHER, SPREAD[1], SPREAD[2])
    return [submit(make_member(course, first_name=f"Name{n}"), exercise, response=text) for n, text in enumerate(texts)]


@pytest.fixture
def assistant(client, course):
    user = make_member(course, role=Role.ASSISTANT, first_name="Reader")
    client.force_login(user)
    return user


def url(exercise, name="review-queue", *arguments, **query):
    address = reverse(f"teach:{name}", args=(exercise.course.slug, exercise.slug, *arguments))
    return f"{address}?{'&'.join(f'{key}={value}' for key, value in query.items())}" if query else address


def in_force(submission):
    return Grading.objects.get(submission=submission, in_force=True)


def test_texts_that_say_nearly_the_same_are_grouped_the_largest_group_first():
    assert likeness_groups((OTHER, *SPREAD)) == ((1, 2, 3), (0,))
    assert likeness_groups(()) == ()
    assert likeness_groups(("a",)) == ((0,),)
    assert likeness_groups(("?", "?")) == ((0, 1),)


def test_queues_say_how_many_wait(client, assistant, course, exercise, submissions):
    review(submissions[0], reviewer=assistant, points=POINTS)
    make_exercise(course)

    (queue,) = review_queues(course)
    text = client.get(reverse("teach:review-queues", args=(course.slug,))).content.decode()

    assert (queue.waiting, queue.read) == (3, 1)
    assert "Why divide" in text
    assert "3 waiting" in text
    assert review_queues(make_exercise(make_course(self_paced=True), kind=Kind.EXPLAIN).course) == []


def test_alike_answers_are_read_together_and_taken_back(client, assistant, course, exercise, submissions):
    queue = client.get(url(exercise)).content.decode()
    first = submissions[0]
    together = url(exercise, "read-alike", first.pk, show="waiting")
    page = client.get(together).content.decode()

    assert "3 alike answers" in queue
    assert all(text.split(",")[0] in page for text in SPREAD)
    assert OTHER not in page
    done = client.post(together, {"answer": [first.pk, submissions[2].pk], **FULL, "comment": "Well put."}, follow=True)
    assert "2 answers were read." in done.content.decode()
    assert [in_force(row).state for row in submissions] == [State.GRADED, State.QUEUED, State.GRADED, State.QUEUED]

    client.post(reverse("teach:undo-reviews", args=(course.slug,)))
    assert {in_force(row).state for row in submissions} == {State.QUEUED}
    assert "Take that back" not in client.get(url(exercise)).content.decode()


def test_what_is_wrong_in_a_group_is_said_and_nothing_is_stored(client, assistant, exercise, submissions):
    together = url(exercise, "read-alike", submissions[0].pk)

    none = client.post(together, FULL)
    much = client.post(together, {"answer": [submissions[0].pk], "points-0": "9", "points-1": "1"})

    assert (none.status_code, much.status_code) == (409, 409)
    assert "expected points from 0 to 2" in much.content.decode()
    assert {in_force(row).state for row in submissions} == {State.QUEUED}
    review(submissions[0], reviewer=assistant, points=POINTS)
    assert client.get(together).status_code == 302


def test_ticked_answer_that_somebody_read_meanwhile_stays_so_and_that_is_said(client, assistant, course, submissions):
    other = make_member(course, role=Role.ASSISTANT)
    review(submissions[2], reviewer=other, points={**POINTS, "Names the spread": "0"})
    ticked = [submissions[0].pk, submissions[2].pk, submissions[3].pk]

    together = url(submissions[0].exercise, "read-alike", submissions[0].pk)
    text = client.post(together, {"answer": ticked, **FULL}, follow=True).content.decode()

    assert "2 answers were read." in text
    assert "1 was read by somebody else meanwhile, and stays as they judged it." in text
    assert [in_force(submissions[place]).score for place in (0, 2, 3)] == [3, 1, 3]


def test_large_group_is_read_in_turns(client, assistant, exercise, submissions, monkeypatch):
    monkeypatch.setattr("exercises.teach.assistance.reviews.MOST_ALIKE", 2)

    text = client.get(url(exercise, "read-alike", submissions[0].pk)).content.decode()

    assert "2 alike answers" in text
    assert "One more comes after these." in text
    assert text.count('name="answer"') == 2


def test_saving_leads_to_the_next_answer(client, assistant, exercise, submissions):
    page = url(exercise, "read-answer", submissions[0].pk, show="waiting")
    shown = client.get(page).content.decode()

    saved = client.post(page, {**FULL, "comment": ""})

    # Alike ones come first, so that the next one is of the same group.
    assert saved["Location"] == url(exercise, "read-answer", submissions[2].pk, show="waiting")
    assert f'href="{saved["Location"].replace("&", "&amp;")}"' in shown
    assert in_force(submissions[0]).score == Decimal(3)
    last = client.post(url(exercise, "read-answer", submissions[1].pk, show="waiting"), FULL)
    assert last["Location"] == url(exercise, show="waiting")


def test_groups_stay_while_somebody_reads(client, assistant, exercise, submissions):
    likeness_groups.cache_clear()
    client.get(url(exercise))

    client.post(url(exercise, "read-answer", submissions[0].pk, show="waiting"), FULL)
    text = client.get(url(exercise)).content.decode()

    assert "2 alike answers" in text
    assert likeness_groups.cache_info().misses == 1


def test_what_comes_after_the_first_thousand_stands_alone(client, assistant, exercise, submissions, monkeypatch):
    monkeypatch.setattr("exercises.queries.reviewing.MOST", 1)

    text = client.get(url(exercise)).content.decode()

    assert "alike answers" not in text
    assert all(answer[:40] in text for answer in (*SPREAD, OTHER))


def test_points_of_a_wrong_form_are_refused_in_place(client, assistant, exercise, submissions):
    answer = client.post(url(exercise, "read-answer", submissions[0].pk), {"points-0": "3", "points-1": "1"})

    assert answer.status_code == 409
    assert "expected points from 0 to 2" in answer.content.decode()
    assert in_force(submissions[0]).state == State.QUEUED


def test_names_are_hidden_where_it_is_asked_for(client, assistant, exercise, submissions):
    for address in (
        url(exercise, show="waiting", anonymous=1),
        url(exercise, "read-answer", submissions[0].pk, show="waiting", anonymous=1),
        url(exercise, "read-alike", submissions[0].pk, show="waiting", anonymous=1),
    ):
        text = client.get(address).content.decode()
        assert "Answer 1" in text
        assert not any(name in text for name in ("Name0", "Name1", submissions[0].receipt))
        assert "anonymous=1" in text


def test_second_reader_does_not_see_the_first_and_one_stands(client, course, exercise, submissions, assistant):
    first = make_member(course, role=Role.INSTRUCTOR, first_name="First")
    review(submissions[0], reviewer=first, points=POINTS)
    page = url(exercise, "read-answer", submissions[0].pk, show="read")

    before = client.get(page).content.decode()
    client.post(page, {"points-0": "0", "points-1": "1", "beside": "1"})
    after = client.get(page).content.decode()

    assert "First" not in before
    assert "What another reader gave is shown once" in before
    assert "Readers disagree" in after
    assert "3 / 3" in after
    assert in_force(submissions[0]).reviewer == first
    assert "readers disagree" in client.get(url(exercise, show="disputed")).content.decode()
    mine = Grading.objects.get(reviewer=assistant)
    client.post(reverse("teach:put-review-in-force", args=(course.slug, submissions[0].pk)), {"mark": mine.pk})
    assert in_force(submissions[0]) == mine


def test_second_reader_may_take_the_place_of_the_first(client, course, exercise, submissions, assistant):
    review(submissions[0], reviewer=make_member(course, role=Role.INSTRUCTOR), points=POINTS)

    client.post(url(exercise, "read-answer", submissions[0].pk, show="read"), {**FULL, "beside": "0"})

    assert in_force(submissions[0]).reviewer == assistant


def test_answers_of_other_exercises_and_erased_ones_are_not_read_here(client, assistant, course, exercise, submissions):
    other = make_exercise(course, kind=Kind.EXPLAIN)
    elsewhere = submit(submissions[0].student, other, response="So.")
    Submission.objects.filter(pk=submissions[1].pk).update(body_hash="", response=None)

    assert client.get(url(exercise, "read-answer", elsewhere.pk)).status_code == 404
    assert "Name1" not in client.get(url(exercise)).content.decode()


@pytest.mark.parametrize("name", ["review-queue", "read-answer"])
def test_number_of_queries_does_not_grow(assistant, course, exercise, submissions, queries_of, name):
    arguments = () if name == "review-queue" else (submissions[0].pk,)
    first = queries_of(url(exercise, name, *arguments))
    for number in range(3):
        submit(make_member(course), exercise, response=f"Another one, number {number}.")

    assert queries_of(url(exercise, name, *arguments)) == first
    assert first <= 15


def test_students_and_strangers_find_nothing(client, people, exercise, submissions):
    for who in ("owner", "stranger"):
        client.force_login(people[who])
        assert client.get(url(exercise)).status_code == 404
        assert client.get(url(exercise, "read-answer", submissions[0].pk)).status_code == 404
