from tests.exercises.learn.people import expecting
from tests.factories import make_course, make_exercise, make_graded


def address_of(course, student):
    return f"/teach/{course.slug}/students/{student.pk}/"


@expecting(owner=404, classmate=404, stranger=404, teacher=200)
def test_student_is_shown_to_staff(client, people, course, who, status):
    client.force_login(people[who])

    assert client.get(address_of(course, people["owner"])).status_code == status


def test_stranger_to_the_course_is_not_found(client, people, course):
    client.force_login(people["teacher"])

    assert client.get(address_of(course, people["stranger"])).status_code == 404


def test_student_page_leads_to_each_submission_of_this_course(client, people, course):
    student = people["owner"]
    first, second = (make_graded(student, make_exercise(course)) for _ in range(2))
    elsewhere = make_graded(student, make_exercise(make_course()))
    client.force_login(people["teacher"])

    text = client.get(address_of(course, student)).content.decode()

    assert f'href="/submissions/{first.pk}/"' in text
    assert f'href="/submissions/{second.pk}/"' in text
    assert f'href="/submissions/{elsewhere.pk}/"' not in text


def test_student_page_takes_as_many_queries_for_three_submissions(client, people, course, queries_of):
    exercise = make_exercise(course)
    make_graded(people["owner"], exercise)
    client.force_login(people["teacher"])
    address = address_of(course, people["owner"])
    queries_of(address)
    one = queries_of(address)
    for _ in range(2):
        make_graded(people["owner"], exercise)

    assert queries_of(address) == one
