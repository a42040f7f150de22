import pytest

from exercises.choices import Counted, Kind
from exercises.services import save_draft, store_case_set, submit
from tests.exercises.learn.people import expecting
from tests.factories import make_assignment, make_course, make_exercise, make_graded, make_lesson, make_submission

SECRETS = {
    "reference.py": "def double(x):\n    return x + x  # the reference\n",
    "cases.py": "# the cases",
    "mistakes/half.py": "# the mistake",
    "starter.py": "def double(x): ...\n",
}


def address_of(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_exercise_is_for_members(client, people, course, who, status):
    client.force_login(people[who])

    assert client.get(address_of(make_exercise(course))).status_code == status


def test_unpublished_and_retired_exercises_are_not_found(client, student, course):
    for fields in ({"is_retired": True}, {"published": None}):
        exercise = make_exercise(course)
        type(exercise).objects.filter(pk=exercise.pk).update(**fields)

        assert client.get(address_of(exercise)).status_code == 404


def test_code_page_opens_with_the_starting_code(client, student, course):
    exercise = make_exercise(course, files=SECRETS, definition={"limits": {"cpu_seconds": 4, "memory_mb": 512}})

    page = client.get(address_of(exercise))

    assert page.context["draft"] == {"source": "def double(x): ...\n", "revision": 0, "saved_at": None}
    assert "Limits: 4 s of computing, 512 MB of memory." in page.content.decode()


def test_code_page_opens_with_the_draft(client, student, course):
    exercise = make_exercise(course, files=SECRETS)
    make_submission(student, exercise, source="handed in")
    save_draft(student, exercise, source="\n  x = 1", revision=0)

    page = client.get(address_of(exercise))

    assert page.context["draft"]["revision"] == 1
    # A browser drops the first line end in a textarea: the one that is ours, not the student's.
    assert 'rows="18">\n\n  x = 1</textarea>' in page.content.decode()


def test_code_page_opens_with_what_was_handed_in_where_there_is_no_draft(client, student, course):
    exercise = make_exercise(course, files=SECRETS)
    make_submission(student, exercise, source="handed in")

    assert client.get(address_of(exercise)).context["draft"]["source"] == "handed in"


def test_page_holds_no_reference_cases_or_mistakes(client, student, course):
    definition = {"mistakes": {"half": {"title": "Half of it", "feedback": "You halved."}}, "explanation": "Because."}
    exercise = make_exercise(course, files=SECRETS, definition=definition)

    text = client.get(address_of(exercise)).content.decode()

    for secret in ("the reference", "the cases", "the mistake", "Half of it", "You halved.", "Because."):
        assert secret not in text


def test_explanation_is_shown_once_solved(client, student, course):
    exercise = make_exercise(course, definition={"explanation": "Because."})
    make_graded(student, exercise)

    assert "Because." in client.get(address_of(exercise)).content.decode()


def test_visible_cases_are_shown_with_the_names_of_the_arguments(client, student, course):
    exercise = make_exercise(course, files=SECRETS)
    tensor = {"dtype": "float32", "shape": [2], "values": [1.0, 2.5]}
    case = {"name": "two numbers", "args": [tensor], "kwargs": {"eps": 0.5}, "expected": tensor}
    store_case_set(exercise.published, blob=b"", visible=[case])

    page = client.get(address_of(exercise))

    [shown] = page.context["cases"]
    assert [(value.label, value.text) for value in shown.values] == [
        ("x · float32 [2]", "[  1, 2.5]"),
        ("eps", "0.5"),
        ("Expected · float32 [2]", "[  1, 2.5]"),
    ]


def test_visible_case_of_a_class_shows_what_it_is_built_and_loaded_with(client, student, course):
    exercise = make_exercise(course, files=SECRETS)
    built = {"init": {"args": [4], "kwargs": {"eps": 0.5}}, "state": {"weight": 2.0}}
    case = {"name": "a module", "args": [1.0], "kwargs": {}, **built, "expected": 3.0}
    store_case_set(exercise.published, blob=b"", visible=[case])

    page = client.get(address_of(exercise))

    [shown] = page.context["cases"]
    assert [(value.label, value.text) for value in shown.values] == [
        ("init[0]", "4"),
        ("eps", "0.5"),
        ("weight", "2"),
        ("x", "1"),
        ("Expected", "3"),
    ]


@pytest.mark.parametrize("multiple", [False, True])
def test_choice_page_is_a_form_without_its_key(client, student, course, multiple):
    exercise = make_exercise(course, kind=Kind.CHOICE, definition={"multiple": multiple})

    text = client.get(address_of(exercise)).content.decode()

    assert text.count(f'type="{"checkbox" if multiple else "radio"}" name="response"') == 2
    assert "Yes." not in text
    assert "checked" not in text


def test_choice_page_remembers_what_was_chosen(client, student, course):
    exercise = make_exercise(course, kind=Kind.CHOICE)
    option = client.get(address_of(exercise)).context["page"].question.options[1]
    submit(student, exercise, response=option.id)

    page = client.get(address_of(exercise))

    assert [item.is_chosen for item in page.context["page"].question.options] == [False, True]
    assert page.context["panel"].receipt in page.content.decode()


def test_number_page_remembers_the_number(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    submit(student, exercise, response="1/8")

    assert 'value="1/8"' in client.get(address_of(exercise)).content.decode()


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        (None, "Hand in as often as you like: the best one counts."),
        (2, "1 attempt left. The best one counts."),
        (1, "No attempt is left. What you hand in now is kept, and staff can see it; it is not judged."),
    ],
)
def test_beside_the_button_stands_which_attempt_counts(client, student, course, allowed, said):
    exercise = make_exercise(course, max_attempts=allowed)
    make_graded(student, exercise)

    assert f'id="attempts">{said}</p>' in client.get(address_of(exercise)).content.decode()


def test_within_an_assignment_its_rule_stands_beside_the_button(client, student, course):
    exercise = make_exercise(course, kind=Kind.NUMERIC)
    assignment = make_assignment(exercise, counted=Counted.LAST, max_attempts=2)

    text = client.get(address_of(exercise)).content.decode()

    assert 'id="attempts">2 attempts left. The last one that you hand in counts.</p>' in text
    # What is fetched anew after an outcome is of the same assignment.
    assert f'hx-get="{address_of(exercise)}?assignment={assignment.slug}"' in text


def test_page_says_how_many_attempts_are_left(client, student, course):
    exercise = make_exercise(course, max_attempts=3)
    make_submission(student, exercise)

    assert "2 attempts left" in client.get(address_of(exercise)).content.decode()


def test_page_shows_own_submissions_only(client, people, student, course):
    exercise = make_exercise(course)
    mine, theirs = make_submission(student, exercise), make_submission(people["classmate"], exercise)

    text = client.get(address_of(exercise)).content.decode()

    assert mine.receipt in text
    assert theirs.receipt not in text


def test_page_leads_back_to_its_lesson(client, student, course):
    exercise = make_exercise(course)
    lesson = make_lesson(course, title="Scores")
    lesson.embedded.create(exercise=exercise, position=0)

    assert client.get(address_of(exercise)).context["lesson"].slug == lesson.slug


def test_page_leads_on_to_the_next_exercise(client, student, course):
    first = make_exercise(course)
    second = make_exercise(course, version={"title": "The second"})

    assert "Next exercise: The second" in client.get(address_of(first)).content.decode()
    # Around the end to what was left behind.
    assert "Next exercise" in client.get(address_of(second)).content.decode()
    make_graded(student, first)
    assert "Next exercise" not in client.get(address_of(second)).content.decode()


def test_exercise_takes_as_many_queries_for_three_submissions(client, student, course, queries_of):
    exercise = make_exercise(course)
    make_graded(student, exercise)
    queries_of(address_of(exercise))
    one = queries_of(address_of(exercise))
    for _ in range(2):
        make_graded(student, exercise)

    assert queries_of(address_of(exercise)) == one


def test_exercise_of_another_course_is_not_found(client, student, course):
    exercise = make_exercise(make_course())

    assert client.get(f"/courses/{course.slug}/exercises/{exercise.slug}/").status_code == 404


def test_lists_around_an_outcome_are_fetched_without_the_outcome_and_the_cases(client, student, course):
    exercise = make_exercise(course)
    submission = make_graded(student, exercise)
    case = {"name": "two numbers", "args": [1.0, 2.5], "kwargs": {}, "expected": 3.5}
    store_case_set(exercise.published, blob=b"", visible=[case])
    whole, lists = (
        client.get(address_of(exercise), headers=headers).content.decode() for headers in ({}, {"HX-Request": "true"})
    )

    names = ('id="history"', submission.receipt, "two numbers", f'id="submission-{submission.pk}"')
    assert [name in whole for name in names] == [True, True, True, True]
    assert [name in lists for name in names] == [True, True, False, False]
