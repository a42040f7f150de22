"""An explanation on pages: preview, self-assessment, review by staff, and who sees the model answer when."""

import pytest

from exercises.choices import Kind
from exercises.models import Grading, Submission
from exercises.services import review, submit
from tests.exercises.learn.people import make_people
from tests.factories import make_course, make_exercise

HTMX = {"HX-Request": "true"}
MODEL = "The scores spread."
FULL = {"points-0": "2", "points-1": "1"}


@pytest.fixture
def own(db, client):
    """A course without staff, where a student is signed in."""
    people = make_people(make_course(self_paced=True))
    client.force_login(people["owner"])
    return people


def page_of(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def explained(people):
    exercise = make_exercise(people["course"], kind=Kind.EXPLAIN)
    return submit(people["owner"], exercise, response="It *is* `soft`.\n\n<b>Really</b>")


def test_form_names_what_counts_and_tells_no_model_answer(client, student, course):
    text = client.get(page_of(make_exercise(course, kind=Kind.EXPLAIN))).content.decode()

    assert "Names the spread (2)" in text
    assert MODEL not in text
    assert "It grows with" not in text


def test_preview_shows_what_was_written(client, student, course):
    address = f"{page_of(make_exercise(course, kind=Kind.EXPLAIN))}preview/"

    text = client.post(address, {"response": "It is `soft` <b>"}, headers=HTMX).content.decode()

    assert "It is <code>soft</code> &lt;b&gt;" in text
    assert "<form" not in text


def test_preview_without_script_keeps_the_text_in_the_form(client, student, course):
    address = f"{page_of(make_exercise(course, kind=Kind.EXPLAIN))}preview/"

    text = client.post(address, {"response": "It is `soft`."}).content.decode()

    assert "It is <code>soft</code>." in text
    assert "\nIt is `soft`.</textarea>" in text
    assert not Submission.objects.exists()


def test_preview_is_there_for_explanations_only(client, student, course):
    address = f"{page_of(make_exercise(course, kind=Kind.NUMERIC))}preview/"

    assert client.post(address, {"response": "x"}).status_code == 404


def test_explanation_in_a_course_with_staff_waits_without_polling(client, student, course):
    exercise = make_exercise(course, kind=Kind.EXPLAIN)

    text = client.post(f"{page_of(exercise)}submit/", {"response": "So."}, headers=HTMX).content.decode()

    assert "waits for a teacher to read it" in text
    assert "data-live" not in text
    assert MODEL not in text
    assert 'name="points-0"' not in text


def test_student_judges_their_own_beside_the_model_answer(client, own):
    exercise = make_exercise(own["course"], kind=Kind.EXPLAIN)
    text = client.post(f"{page_of(exercise)}submit/", {"response": "So."}, headers=HTMX).content.decode()
    address = f"/submissions/{Submission.objects.get().pk}/assess/"
    assert MODEL in text
    assert "It grows with <code>d</code>." in text
    assert f'hx-post="{address}"' in text

    text = client.post(address, FULL, headers=HTMX).content.decode()

    assert "Accepted" in text
    assert "3 / 3" in text
    assert "Assessed by its author." in text
    assert 'name="points-0"' not in text


def test_own_assessment_without_script_leads_to_the_page(client, own):
    submission = explained(own)

    response = client.post(f"/submissions/{submission.pk}/assess/", {"points-0": "1", "points-1": "0"})

    assert response["Location"] == f"/submissions/{submission.pk}/"
    text = client.get(response["Location"]).content.decode()
    assert "1 / 3" in text
    assert "It *is* <code>soft</code>.</p><p>&lt;b&gt;Really&lt;/b&gt;" in text


def test_points_beyond_the_criterion_are_refused_with_words(client, own):
    submission = explained(own)

    response = client.post(f"/submissions/{submission.pk}/assess/", {**FULL, "points-0": "3"}, headers=HTMX)

    assert response.status_code == 400
    assert "expected points from 0 to 2" in response.content.decode()


def test_second_own_assessment_is_refused(client, own):
    submission = explained(own)
    client.post(f"/submissions/{submission.pk}/assess/", FULL, headers=HTMX)

    assert client.post(f"/submissions/{submission.pk}/assess/", FULL, headers=HTMX).status_code == 409


def test_classmate_can_neither_see_nor_judge(client, own):
    submission = explained(own)
    client.force_login(own["classmate"])

    assert client.post(f"/submissions/{submission.pk}/assess/", FULL, headers=HTMX).status_code == 404


def test_staff_review_by_page(client, people, course):
    submission = explained(people)
    client.force_login(people["teacher"])
    address = f"/teach/{course.slug}/submissions/{submission.pk}/review/"
    text = client.get(f"/submissions/{submission.pk}/").content.decode()
    assert f'action="{address}"' in text
    assert MODEL in text

    client.post(address, {**FULL, "points-1": "0.5", "comment": "Which *softmax*?\r\nThat one."})

    grading = Grading.objects.get()
    assert (grading.reviewer, str(grading.score)) == (people["teacher"], "2.50")
    text = client.get(f"/submissions/{submission.pk}/").content.decode()
    assert f"Judge again (so far: {people['teacher']})" in text
    assert 'value="0.5"' in text


def test_student_reads_the_review_and_the_model_answer_once_it_is_full(client, people, course):
    submission = explained(people)
    client.force_login(people["owner"])
    for points, is_told in ((1, False), (2, True)):
        review(
            submission,
            reviewer=people["teacher"],
            points={"Names the spread": points, "Names the softmax": 1},
            comment="Read once more.",
        )

        text = client.get(f"/submissions/{submission.pk}/").content.decode()

        assert "Read once more." in text
        assert (MODEL in text) == is_told
        assert "Judge again" not in text


@pytest.mark.parametrize(("who", "status"), [("owner", 404), ("classmate", 404), ("stranger", 404), ("teacher", 302)])
def test_review_is_for_staff(client, people, course, who, status):
    submission = explained(people)
    client.force_login(people[who])

    assert client.post(f"/teach/{course.slug}/submissions/{submission.pk}/review/", FULL).status_code == status


def test_review_under_the_address_of_another_course_is_not_found(client, people, course):
    submission = explained(people)
    other = make_people()
    other["course"].memberships.create(user=people["teacher"], role="instructor")
    client.force_login(people["teacher"])

    assert client.post(f"/teach/{other['course'].slug}/submissions/{submission.pk}/review/", FULL).status_code == 404


def test_class_page_counts_what_waits_and_leads_there(client, people, course):
    client.force_login(people["teacher"])
    for _ in range(3):
        explained(people)

    text = client.get(f"/teach/{course.slug}/").content.decode()

    assert f'<a id="waiting-reviews" href="/teach/{course.slug}/reviews/">3</a>' in text


def test_lists_say_that_it_is_handed_in_and_the_next_step_is_another(client, people, course):
    exercise = explained(people).exercise
    other = make_exercise(course, kind=Kind.NUMERIC)
    client.force_login(people["owner"])

    page = client.get(f"/courses/{course.slug}/")
    home = client.get("/").content.decode()

    assert "Handed in" in page.content.decode()
    assert other.published.title in home
    assert f"/exercises/{exercise.slug}/" not in home


def test_own_explanation_is_the_next_step_until_it_is_assessed(client, own):
    exercise = explained(own).exercise

    assert f"/exercises/{exercise.slug}/" in client.get("/").content.decode()
