from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from exercises.choices import Kind, Shown
from exercises.learn.filters import Filter, filter_form, read_filter
from exercises.learn.progress_page import activity, first_moment_shown
from exercises.models import Attempt, Membership, ReviewCard, Run, Submission
from exercises.queries import visible_courses
from exercises.queries.mastery import ExerciseFacts, attempts_until_solved, days_active, exercise_facts, zone_of
from exercises.queries.withheld import withheld_from
from exercises.services import enrol, save_draft, submit
from exercises.services.spaced_reviews import plan_review
from graders.outcomes import Verdict
from tests.factories import (
    make_assignment,
    make_course,
    make_exercise,
    make_graded,
    make_lesson,
    make_outcome,
    make_run,
    make_submission,
)

WRONG = make_outcome(verdict=Verdict.WRONG_ANSWER, score=Decimal(1))
HARD = {"difficulty": "hard", "tags": ["softmax", "mask"]}
EASY = {"difficulty": "easy", "tags": ["softmax"]}
DAY = timedelta(days=1)


def solve_after_a_mistake(student, exercise, **terms):
    make_graded(student, exercise, outcome=WRONG, **terms)
    return make_graded(student, exercise, **terms)


def make_due(student, exercise):
    solve_after_a_mistake(student, exercise)
    ReviewCard.objects.filter(student=student, exercise=exercise).update(due_at=timezone.now() - DAY)


def titles(client, address):
    page = client.get(address)
    return [row.exercise.title for course in page.context["courses"] for row in course["rows"]]


@pytest.fixture
def hard(course):
    return make_exercise(course, definition=HARD, version={"title": "Hard one"})


@pytest.fixture
def easy(course):
    return make_exercise(course, definition=EASY, version={"title": "Easy one"})


def test_progress_says_what_was_solved_when_and_in_how_many_attempts(client, student, hard):
    solve_after_a_mistake(student, hard)
    make_graded(student, hard)

    page = client.get("/progress/")

    [row] = page.context["courses"][0]["rows"]
    assert (row.exercise.title, row.attempts, row.exercise.mark.word) == ("Hard one", 2, "Accepted")
    assert row.exercise.solved_at is not None
    assert page.context["sentence"] == "One exercise solved in the last seven days."
    assert "<td>Hard</td>" in page.content.decode()


def test_progress_counts_the_topics_that_exercises_share(client, student, hard, easy):
    make_graded(student, easy)

    topics = client.get("/progress/").context["courses"][0]["topics"]

    assert [(row.name, row.solved, row.total) for row in topics] == [("softmax", 1, 2)]
    assert topics[0].query == "?topic=softmax"


def test_progress_counts_all_topics_where_none_is_shared(client, student, hard):
    topics = client.get("/progress/").context["courses"][0]["topics"]

    assert [row.name for row in topics] == ["mask", "softmax"]


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("", ["Hard one", "Easy one"]),
        ("difficulty=hard", ["Hard one"]),
        ("topic=mask", ["Hard one"]),
        ("topic=softmax&state=solved", ["Easy one"]),
        ("state=left", ["Hard one"]),
        ("topic=nothing&difficulty=none&state=odd", ["Hard one", "Easy one"]),
    ],
)
def test_progress_is_filtered(client, student, hard, easy, query, left):
    make_graded(student, easy)

    assert titles(client, f"/progress/?{query}") == left


def test_course_is_filtered_and_leaves_out_lessons_without_a_match(client, student, course, hard, easy):
    make_lesson(course, title="First").embedded.create(exercise=hard, position=0)
    make_lesson(course, title="Second").embedded.create(exercise=easy, position=0)

    page = client.get(f"/courses/{course.slug}/?difficulty=easy")

    assert [(part.title, len(part.rows)) for part in page.context["parts"]] == [("Second", 1)]
    nothing = client.get(f"/courses/{course.slug}/?difficulty=easy&topic=mask")
    assert "None of its exercises fits" in nothing.content.decode()


def test_course_without_exercises_has_no_filter(client, student, course):
    make_lesson(course)

    page = client.get(f"/courses/{course.slug}/")

    assert page.context["filter"] is None
    assert 'name="difficulty"' not in page.content.decode()


def test_filter_offers_what_there_is():
    facts = [ExerciseFacts(difficulty="hard", topics=("b", "A")), ExerciseFacts(difficulty="hard", topics=("b",))]

    form = filter_form(read_filter({"topic": "b"}, facts), facts)

    assert [option.value for option in form.difficulties] == ["hard"]
    assert [(option.value, option.is_chosen) for option in form.topics] == [("A", False), ("b", True)]
    assert form.is_set
    assert not Filter().is_set


@pytest.mark.django_db
def test_facts_of_an_exercise_that_says_nothing_of_them():
    exercise = make_exercise()

    assert exercise_facts([exercise]) == {exercise.pk: ExerciseFacts()}


def test_attempts_count_up_to_the_first_accepted(student, hard):
    make_graded(student, hard, outcome=WRONG)
    given_back = make_graded(student, hard, outcome=WRONG)
    Attempt.objects.filter(submission=given_back).update(given_back_at=timezone.now())
    make_graded(student, hard)
    make_graded(student, hard)

    assert attempts_until_solved(student, withheld=withheld_from(student)) == {hard.pk: 2}


@pytest.mark.parametrize("shown", [Shown.RELEASED, Shown.NEVER, Shown.CLOSED])
def test_nothing_shows_of_what_an_assignment_withholds(client, student, course, hard, shown):
    assignment = make_assignment(hard, outcomes_shown=shown, closes_at=timezone.now() + DAY)
    solve_after_a_mistake(student, hard, assignment=assignment.slug)

    page = client.get("/progress/")
    history = client.get("/history/").content.decode()

    [row] = page.context["courses"][0]["rows"]
    assert (row.exercise.mark.word, row.exercise.score, row.exercise.solved_at) == ("Handed in", "", None)
    assert page.context["courses"][0]["topics"][0].solved == 0
    assert attempts_until_solved(student, withheld=withheld_from(student)) == {}
    assert "Handed in" in history
    assert "Accepted" not in history
    assert client.get("/reviews/").context["later"] == []
    assert client.get(f"/courses/{course.slug}/exercises/{hard.slug}/review/").status_code == 404


@pytest.mark.parametrize("address", ["/progress/", "/history/", "/reviews/", "/"])
def test_number_of_queries_does_not_grow(client, student, course, queries_of, address):
    make_due(student, make_exercise(course, definition=HARD))
    queries_of(address)
    one = queries_of(address)
    for _ in range(2):
        other = make_course()
        enrol(student, other)
        make_due(student, make_exercise(other, definition=EASY))

    assert queries_of(address) == one


def test_days_are_those_of_the_course_joined_last(student, hard):
    Membership.objects.filter(user=student).update(joined_at=timezone.now() - DAY)
    enrol(student, make_course(time_zone="Pacific/Auckland"))
    late_in_utc = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    Submission.objects.filter(pk=make_submission(student, hard).pk).update(created_at=late_in_utc)
    Run.objects.filter(pk=make_run(student).pk).update(queued_at=late_in_utc + DAY)

    zone = zone_of(visible_courses(student))
    days = days_active(student, since=late_in_utc - DAY, zone=zone)

    assert zone.key == "Pacific/Auckland"
    assert [str(day) for day in sorted(days)] == ["2026-03-02", "2026-03-03"]


def test_activity_says_how_often_and_how_long_in_a_row():
    now = datetime(2026, 3, 10, 8, tzinfo=UTC)
    active = {datetime(2026, 3, day, tzinfo=UTC).date() for day in (1, 8, 9)}

    shown = activity(active, now=now, zone=ZoneInfo("UTC"))

    assert len(shown.days) == 28
    assert [day.is_active for day in shown.days[-4:]] == [False, True, True, False]
    assert (shown.sentence, shown.run_sentence) == ("Here on 3 of the last 28 days.", "2 of them in a row.")
    assert first_moment_shown(now, ZoneInfo("UTC")) == datetime(2026, 2, 11, tzinfo=UTC)


def test_a_day_left_out_is_not_held_against_anybody():
    now = datetime(2026, 3, 10, 8, tzinfo=UTC)

    shown = activity({datetime(2026, 3, 8, tzinfo=UTC).date()}, now=now, zone=ZoneInfo("UTC"))

    assert shown.run_sentence == ""


def test_history_is_paged_and_names_practice(client, student, hard, monkeypatch):
    monkeypatch.setattr("exercises.learn.views.progress.HISTORY_PAGE", 2)
    first = make_graded(student, hard)
    make_assignment(hard, closes_at=timezone.now() - DAY)
    make_graded(student, hard)
    make_graded(student, hard)

    page = client.get("/history/")
    older = client.get(f"/history/?before={page.context['older']}")

    assert [entry["is_practice"] for entry in page.context["entries"]] == [True, True]
    assert [entry["row"].receipt for entry in older.context["entries"]] == [first.receipt]
    assert older.context["older"] is None
    assert "practice" in page.content.decode()


def test_history_is_ones_own(client, student, hard):
    theirs = make_graded(exercise=hard)

    assert theirs.receipt not in client.get("/history/").content.decode()
    assert "Nothing is older" in client.get("/history/?before=1").content.decode()


def test_reviews_list_what_is_due_and_what_comes_later(client, student, hard, easy):
    make_due(student, hard)
    solve_after_a_mistake(student, easy)

    page = client.get("/reviews/")

    assert [row.title for row in page.context["due"]] == ["Hard one"]
    assert [(row.title, bool(row.due)) for row in page.context["later"]] == [("Easy one", True)]
    assert "1 exercise to review" in client.get("/progress/").content.decode()
    assert "1 exercise to review" in client.get("/").content.decode()


def test_review_starts_afresh(client, student, course):
    files = {"starter.py": "# begin here\n"}
    exercise = make_exercise(course, files=files, definition={"explanation": "It doubles."})
    solve_after_a_mistake(student, exercise)
    save_draft(student, exercise, source="# my old text\n", revision=0)

    page = client.get(f"/courses/{course.slug}/exercises/{exercise.slug}/review/").content.decode()

    assert "# begin here" in page
    assert "# my old text" not in page
    assert "It doubles." not in page


def test_review_by_page_counts_nowhere(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    submit(student, exercise, response="4")
    submit(student, exercise, response="5")
    ReviewCard.objects.update(due_at=timezone.now() - DAY)
    address = f"/courses/{course.slug}/exercises/{exercise.slug}/review/"

    answer = client.post(f"{address}submit/", {"response": "5"})
    fragment = client.post(f"{address}submit/", {"response": "4"}, headers={"HX-Request": "true"})

    newest, tried, *_ = Submission.objects.filter(student=student)
    assert answer["Location"] == f"/submissions/{tried.pk}/"
    assert (newest.is_counted, tried.is_counted) == (False, False)
    assert "Not yet right" in fragment.content.decode()
    assert "You are asked this again on" in client.get(address).content.decode()


def test_review_refuses_what_has_the_wrong_form(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    submit(student, exercise, response="4")
    submit(student, exercise, response="5")

    answer = client.post(f"/courses/{course.slug}/exercises/{exercise.slug}/review/submit/", {"response": "many"})

    assert answer.status_code == 400
    assert Submission.objects.filter(student=student).count() == 2


def test_review_of_what_one_never_got_wrong_is_not_there(client, student, course, hard):
    make_graded(student, hard)
    address = f"/courses/{course.slug}/exercises/{hard.slug}/review/"

    assert client.get(address).status_code == 404
    assert client.post(f"{address}submit/", {"source": "x = 1"}).status_code == 404


def test_given_up_is_reviewed_too(client, student, course, hard):
    plan_review(student, hard)

    assert ReviewCard.objects.get().exercise == hard
