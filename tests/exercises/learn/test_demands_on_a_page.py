from tests.factories import make_exercise


def address_of(exercise):
    return f"/courses/{exercise.course.slug}/exercises/{exercise.slug}/"


def test_page_says_what_is_asked_beside_values(client, student, course):
    asked = {"inputs_unchanged": True, "forbid": {"names": ["<b>", "exp"], "operators": [], "loops": False}}

    text = client.get(address_of(make_exercise(course, definition=asked))).content.decode()

    assert "Also asked for" in text
    assert "<li>A call must leave its arguments as they are.</li>" in text
    assert "<li>To be solved without <code>&lt;b&gt;</code>, <code>exp</code>.</li>" in text


def test_page_is_silent_where_values_are_all(client, student, course):
    assert "Also asked for" not in client.get(address_of(make_exercise(course))).content.decode()
