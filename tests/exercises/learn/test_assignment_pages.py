"""What students see of assignments: when, how long, how often, and which of their hand-ins counts."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.urls import reverse

from exercises.choices import Kind, Role, Shown
from exercises.models import Draft, Refusal, Submission
from exercises.services import save_draft, start_assignment, submit
from tests.factories import make_assignment, make_course, make_exercise, make_graded, make_lesson, make_member

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECOND, MINUTE, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
def course():
    return make_course(time_zone="Europe/Berlin")


@pytest.fixture
def student(course):
    return make_member(course)


@pytest.fixture(autouse=True)
def noon():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def signed_in(client, student, noon):
    client.force_login(student)


def page_of(assignment):
    return reverse("learn:assignment", args=(assignment.course.slug, assignment.slug))


def exercise_page(exercise):
    return reverse("learn:exercise", args=(exercise.course.slug, exercise.slug))


def text_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def quiz(course, **overrides):
    exercise = make_exercise(course)
    return make_assignment(exercise, **{"is_quiz": True, "minutes": 30, **overrides}), exercise


def test_dates_are_on_the_clock_of_the_course_which_is_named(client, course):
    assignment = make_assignment(make_exercise(course), due_at=NOON + DAY)

    text = text_of(client, page_of(assignment))

    assert 'datetime="2026-06-02T12:00:00+00:00" data-local>Tue 2 June 2026, 14:00</time>' in text
    assert "Europe/Berlin" in text


def test_course_page_and_home_list_it(client, course):
    due = make_assignment(make_exercise(course), due_at=NOON + DAY)
    closed = make_assignment(make_exercise(course), closes_at=NOON)
    hidden = make_assignment(make_exercise(course), is_hidden=True)

    listed = text_of(client, reverse("learn:course", args=(course.slug,)))
    home = text_of(client, "/")

    assert [row.title in listed for row in (due, closed, hidden)] == [True, True, False]
    assert [row.title in home for row in (due, closed, hidden)] == [True, False, False]


@pytest.mark.parametrize("rows", [1, 3])
def test_lists_cost_the_same_for_any_number(client, course, rows, django_assert_max_num_queries):
    for _ in range(rows):
        make_assignment(make_exercise(course), due_at=NOON + DAY)

    with django_assert_max_num_queries(15):
        text_of(client, reverse("learn:course", args=(course.slug,)))
    with django_assert_max_num_queries(15):
        text_of(client, "/")


def test_page_tells_rules_attempts_and_which_counts(client, course, student):
    exercise = make_exercise(course)
    rules = {"due_at": NOON - DAY, "closes_at": NOON + DAY, "late_percent_per_day": 10, "max_attempts": 3}
    assignment = make_assignment(exercise, grace_minutes=5, **rules)
    submission = make_graded(student, exercise)

    text = text_of(client, page_of(assignment))

    assert "3 attempts at each exercise." in text
    assert (
        "Late costs 10 % of the points for each day that has begun after the due date and a grace of 5 minutes" in text
    )
    assert "2 attempts left" in text
    assert f"{submission.receipt} counts, late: 90 % of it is left" in text
    assert "9 / 10" in text


@pytest.mark.parametrize("rows", [1, 3])
def test_page_costs_the_same_for_any_number_of_exercises(client, course, rows, django_assert_max_num_queries):
    assignment = make_assignment(*(make_exercise(course) for _ in range(rows)))

    with django_assert_max_num_queries(15):
        text_of(client, page_of(assignment))


def test_exercise_page_is_within_its_assignment(client, course, student):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    assignment = make_assignment(exercise, due_at=NOON - SECOND, max_attempts=2)

    text = text_of(client, f"{exercise_page(exercise)}?assignment={assignment.slug}")

    assert f'<input type="hidden" name="assignment" value="{assignment.slug}">' in text
    assert "2 attempts left" in text
    assert "It is late now." in text
    assert f'<a href="{page_of(assignment)}">{assignment.title}</a>' in text


@pytest.mark.parametrize(("points", "word"), [(1, "1 point"), (5, "5 points"), ("2.5", "2.5 points")])
def test_points_of_an_exercise_are_those_of_the_assignment_on_both_pages(client, course, points, word):
    exercise = make_exercise(course, kind=Kind.NUMERIC, version={"points": 3})
    assignment = make_assignment(exercise)
    assignment.items.update(points=points)

    assert f"<span>·</span>{word}<" in text_of(client, page_of(assignment))
    assert f"<span>·</span>{word}<" in text_of(client, f"{exercise_page(exercise)}?assignment={assignment.slug}")


def test_exercise_page_finds_the_assignment_by_itself(client, course):
    exercise = make_exercise(course)
    assignment = make_assignment(exercise)

    assert f'name="assignment" value="{assignment.slug}"' in text_of(client, exercise_page(exercise))
    assert f'name="assignment" value="{assignment.slug}"' in text_of(client, f"{exercise_page(exercise)}?assignment=x")


def test_after_closing_the_exercise_page_says_that_it_is_practice(client, course, student):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    assignment = make_assignment(exercise, closes_at=NOON)

    text = text_of(client, f"{exercise_page(exercise)}?assignment={assignment.slug}")
    client.post(reverse("learn:submit", args=(course.slug, exercise.slug)), {"response": "5"})

    assert "what you hand in now is practice" in text
    assert 'name="assignment"' not in text
    assert not Submission.objects.get().is_counted


def test_stale_page_hears_that_it_is_closed_and_loses_nothing(client, course):
    exercise = make_exercise(course)
    assignment = make_assignment(exercise, closes_at=NOON)

    answer = client.post(
        reverse("learn:submit", args=(course.slug, exercise.slug)),
        {"source": "late = 1\n", "assignment": assignment.slug},
    )

    assert answer.status_code == 409
    assert "is closed. What you handed in is kept with its time" in answer.content.decode()
    assert Refusal.objects.get().source == "late = 1\n"


def test_quiz_shows_nothing_but_what_starting_means(client, course, student):
    course.memberships.filter(user=student).update(extra_time_factor=1.5)
    assignment, exercise = quiz(course)

    text = text_of(client, page_of(assignment))

    assert "There is one exercise, shown once you start." in text
    assert "Your clock then runs for 45 minutes" in text
    assert exercise.published.title not in text
    assert client.get(exercise_page(exercise)).status_code == 404


def test_started_quiz_shows_its_end_without_a_script_and_after_a_reload(client, course, noon):
    assignment, exercise = quiz(course)

    client.post(reverse("learn:start-assignment", args=(course.slug, assignment.slug)))
    noon.shift(MINUTE)

    for address in (page_of(assignment), exercise_page(exercise)):
        text = text_of(client, address)
        assert 'data-ends="2026-06-01T12:30:00+00:00" data-now="2026-06-01T12:01:00+00:00"' in text
        assert "Mon 1 June 2026, 14:30</time>" in text
        assert "(Europe/Berlin)" in text


def test_quiz_that_is_over_shows_what_came_of_the_last_draft(client, course, student, noon):
    assignment, exercise = quiz(course)
    start_assignment(student, assignment)
    noon.shift(MINUTE)
    Draft.objects.create(student=student, exercise=exercise, source="draft = 1\n")
    noon.shift(DAY)

    text = text_of(client, page_of(assignment))

    assert Submission.objects.get().source == "draft = 1\n"
    assert "data-clock" not in text
    assert "Handed in" in text


def test_quiz_is_ended_by_the_student(client, course, student):
    assignment, exercise = quiz(course)
    start_assignment(student, assignment)

    client.post(reverse("learn:finish-assignment", args=(course.slug, assignment.slug)))

    text = text_of(client, exercise_page(exercise))
    assert "Your time for it is over" in text


def test_start_before_the_opening_says_so(client, course):
    assignment, _exercise = quiz(course, opens_at=NOON + DAY)

    answer = client.post(reverse("learn:start-assignment", args=(course.slug, assignment.slug)), follow=True)

    assert "is not open yet" in answer.content.decode()
    assert "Before you start" not in answer.content.decode()


def test_staff_see_the_exercises_at_any_time(client, course):
    assignment, exercise = quiz(course, opens_at=NOON + DAY)
    client.force_login(make_member(course, role=Role.ASSISTANT))

    assert exercise.published.title in text_of(client, page_of(assignment))
    text = text_of(client, f"{exercise_page(exercise)}?assignment={assignment.slug}")
    assert "As staff you only practise here." in text


def test_hidden_assignment_is_not_found(client, course):
    assignment = make_assignment(make_exercise(course), is_hidden=True)

    assert client.get(page_of(assignment)).status_code == 404


def test_lesson_page_hands_in_to_the_assignment_as_well(client, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    make_lesson(course).embedded.create(exercise=exercise, position=0)
    assignment = make_assignment(exercise)

    client.post(reverse("learn:submit", args=(course.slug, exercise.slug)), {"response": "5"})

    assert Submission.objects.get().assignment == assignment


def questions(course, count=3, **overrides):
    exercises = [make_exercise(course, kind=Kind.NUMERIC) for _ in range(count)]
    return make_assignment(*exercises, **overrides), exercises


def titles(page):
    return [row.title for row in page.context["page"].rows]


def test_all_questions_stand_on_one_page_with_what_was_written(client, course, student):
    assignment, (first, second, third) = questions(course)
    submit(student, first, response="7")
    save_draft(student, second, fields={"response": ["1/"]}, revision=0)

    page = client.get(page_of(assignment))

    text = page.content.decode()
    assert text.count('class="response-form"') == 3
    assert text.count(f'name="assignment" value="{assignment.slug}"') == 3
    assert [form.question.value for form in page.context["page"].forms] == ["7", "1/", ""]
    assert [form.draft.revision for form in page.context["page"].forms] == [0, 1, 0]


def test_code_is_written_in_the_editor_that_the_page_leads_to(client, course):
    exercise = make_exercise(course)
    assignment = make_assignment(exercise)

    text = text_of(client, page_of(assignment))

    assert "response-form" not in text
    assert f'href="{exercise_page(exercise)}?assignment={assignment.slug}"' in text


def test_no_form_stands_on_the_page_of_what_is_closed(client, course):
    assignment, _exercises = questions(course, closes_at=NOON)

    text = text_of(client, page_of(assignment))

    assert "response-form" not in text
    assert "It is closed: what you hand in now is practice." in text


@pytest.mark.parametrize("rows", [1, 3])
def test_forms_cost_the_same_for_any_number(client, course, rows, django_assert_max_num_queries):
    assignment, _exercises = questions(course, rows)

    with django_assert_max_num_queries(15):
        text_of(client, page_of(assignment))


def test_one_question_a_page_tells_where_one_is_and_what_is_answered(client, course, student):
    assignment, (first, second, third) = questions(course, one_question_a_page=True)
    submit(student, first, response="5")
    save_draft(student, third, fields={"response": ["1"]}, revision=0)
    overview = text_of(client, page_of(assignment))
    assert "response-form" not in overview
    assert f'class="button primary" href="{exercise_page(second)}?assignment={assignment.slug}"' in overview

    page = client.get(f"{exercise_page(second)}?assignment={assignment.slug}")

    steps = page.context["page"].assignment.steps
    assert [str(step.mark.word) for step in steps.steps] == ["Handed in", "Not started", "Written, not handed in"]
    assert (steps.place, steps.answered) == ("Question 2 of 3", "1 of 3 handed in")
    assert steps.previous.url == f"{exercise_page(first)}?assignment={assignment.slug}"
    assert steps.following.url == f"{exercise_page(third)}?assignment={assignment.slug}"
    assert f'href="{steps.following.url}" rel="next"' in page.content.decode()


def test_first_and_last_question_have_one_neighbour(client, course):
    assignment, (first, last) = questions(course, 2, one_question_a_page=True)

    at_first, at_last = (client.get(exercise_page(one)).context["page"].assignment.steps for one in (first, last))

    assert (at_first.previous, at_first.following.title) == (None, last.published.title)
    assert (at_last.previous.title, at_last.following) == (first.published.title, None)


@pytest.mark.parametrize("rows", [1, 3])
def test_steps_cost_the_same_for_any_number(client, course, rows, django_assert_max_num_queries):
    assignment, exercises = questions(course, rows, one_question_a_page=True)

    with django_assert_max_num_queries(15):
        text_of(client, exercise_page(exercises[0]))


def test_draft_from_before_the_start_of_a_quiz_is_none_of_it(client, course, student, noon):
    assignment, (exercise,) = questions(course, 1, one_question_a_page=True, is_quiz=True)
    save_draft(student, exercise, fields={"response": ["1"]}, revision=0)
    noon.shift(MINUTE)
    start_assignment(student, assignment)

    [step] = client.get(exercise_page(exercise)).context["page"].assignment.steps.steps

    assert str(step.mark.word) == "Not started"


def test_shuffled_order_is_the_students_own_and_stays(client, course, student):
    assignment, _exercises = questions(course, 8, is_shuffled=True)
    other = make_member(course)

    first, again = titles(client.get(page_of(assignment))), titles(client.get(page_of(assignment)))
    forms = [form.title for form in client.get(page_of(assignment)).context["page"].forms]
    client.force_login(other)
    of_other = titles(client.get(page_of(assignment)))

    assert first == again == forms
    assert sorted(first) == sorted(of_other)
    assert first != of_other


def test_page_says_what_is_shown_afterwards(client, course):
    assignment, _exercises = questions(course, outcomes_shown=Shown.RELEASED, solutions_shown=Shown.NEVER)

    text = text_of(client, page_of(assignment))

    assert "What was judged is shown once your teachers release it." in text
    assert "Solutions are not shown." in text
