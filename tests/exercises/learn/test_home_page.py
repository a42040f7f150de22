from exercises.choices import Kind, Role
from exercises.services import enrol, save_draft
from graders.outcomes import Verdict
from tests.factories import make_course, make_exercise, make_graded, make_lesson, make_outcome


def embed(lesson, *exercises):
    for number, exercise in enumerate(exercises):
        lesson.embedded.create(exercise=exercise, position=number)


def test_home_sends_a_new_student_to_the_first_lesson(client, student, course):
    lesson = make_lesson(course, title="Scores")
    embed(lesson, make_exercise(course))

    page = client.get("/")

    assert page.context["next"].title == "Scores"
    assert page.context["next"].url == f"/courses/{course.slug}/lessons/{lesson.slug}/"
    assert "Scores" in page.content.decode()


def test_home_goes_on_with_the_draft(client, student, course):
    exercise = make_exercise(course, version={"title": "Softmax"})
    embed(make_lesson(course), exercise)
    save_draft(student, exercise, source="x = 1", revision=0)

    page = client.get("/")

    assert page.context["next"].title == "Softmax"
    assert page.context["next"].action == "Go on"


def test_home_offers_another_try_at_what_failed_last(client, student, course):
    exercise = make_exercise(course, version={"title": "Softmax"})
    make_graded(student, exercise, outcome=make_outcome(verdict=Verdict.WRONG_ANSWER, score=0))

    assert client.get("/").context["next"].action == "Try again"


def test_home_moves_on_when_the_lesson_is_half_solved(client, student, course):
    first, second = make_exercise(course), make_exercise(course, version={"title": "Second"})
    embed(make_lesson(course), first, second)
    make_graded(student, first)

    assert client.get("/").context["next"].title == "Second"


def test_home_has_nothing_next_when_all_is_solved(client, student, course):
    make_graded(student, make_exercise(course))

    page = client.get("/")

    assert page.context["next"] is None
    assert "Everything here is done" in page.content.decode()


def test_home_lists_own_courses_and_open_ones_only(client, student, course):
    make_course(title="Invited only")
    make_course(title="Open to all", self_paced=True)

    text = client.get("/").content.decode()

    assert course.title in text
    assert "Open to all" in text
    assert "Invited only" not in text


def test_home_links_to_the_class_for_staff_alone(client, people, course):
    client.force_login(people["teacher"])
    assert f"/teach/{course.slug}/" in client.get("/").content.decode()

    client.force_login(people["owner"])
    assert f"/teach/{course.slug}/" not in client.get("/").content.decode()


def test_home_asks_a_visitor_to_sign_in(client, db):
    response = client.get("/")

    assert response.status_code == 302
    assert response["Location"] == "/account/login/?next=/"


def test_home_takes_as_many_queries_for_three_courses(client, student, course, queries_of):
    make_exercise(course)
    make_lesson(course)
    queries_of("/")
    one = queries_of("/")
    for _ in range(2):
        other = make_course()
        enrol(student, other, role=Role.STUDENT)
        make_lesson(other)
        make_exercise(other, kind=Kind.CHOICE)

    assert queries_of("/") == one
