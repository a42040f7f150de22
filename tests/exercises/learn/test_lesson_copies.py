"""A lesson as a notebook and set for paper."""

import json

import pytest

from exercises.choices import Kind
from exercises.content.markdown import render_lesson
from tests.exercises.learn.people import expecting
from tests.factories import make_exercise, make_lesson

BODY = """## Scores

See [weights](../weights/) and [torch](https://pytorch.org/).

```python run
print(5)
```

```output
5
```

::: exercise why
"""


@pytest.fixture
def lesson(course):
    rendered = render_lesson(BODY)
    lesson = make_lesson(
        course, source=BODY, html=rendered.html, snippets=list(rendered.snippets), title="Scores", slug="scores"
    )
    exercise = make_exercise(course, kind=Kind.CHOICE, slug="why", definition={"explanation": "CANARY"})
    lesson.embedded.create(exercise=exercise, position=0)
    return lesson


def address_of(lesson, name):
    return f"/courses/{lesson.course.slug}/lessons/{lesson.slug}/{name}/"


@pytest.mark.parametrize("name", ["notebook", "print"])
@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_both_are_for_members(client, people, lesson, name, who, status):
    client.force_login(people[who])

    assert client.get(address_of(lesson, name)).status_code == status


def test_notebook_is_a_file_with_the_lesson_s_exercises_as_links(client, student, lesson):
    answer = client.get(address_of(lesson, "notebook"))

    assert answer["Content-Type"] == "application/x-ipynb+json"
    assert answer["Content-Disposition"] == 'attachment; filename="scores.ipynb"'
    cells = json.loads(answer.content)["cells"]
    exercise = lesson.embedded.get().exercise
    page = f"http://testserver/courses/{lesson.course.slug}/exercises/why/"
    assert f"**Exercise:** [{exercise.published.title}]({page})" in cells[-1]["source"]
    assert "CANARY" not in answer.content.decode()


def test_retired_exercise_is_in_neither(client, student, lesson):
    exercise = lesson.embedded.get().exercise
    exercise.is_retired = True
    exercise.save()

    for name in ("notebook", "print"):
        assert exercise.published.title not in client.get(address_of(lesson, name)).content.decode()


def test_print_view_spells_links_out_and_has_nothing_to_press(client, student, lesson):
    text = client.get(address_of(lesson, "print")).content.decode()
    main = text[text.index("<main") :]

    assert f'href="http://testserver/courses/{lesson.course.slug}/lessons/weights/"' in main
    assert 'href="https://pytorch.org/"' in main
    assert f'href="http://testserver/courses/{lesson.course.slug}/exercises/why/"' in main
    assert "Because" in main
    assert '<pre class="output"' in main
    assert "<textarea" not in main
    assert "<details" not in main
    assert "CANARY" not in main


def test_lesson_leads_to_both(client, student, lesson):
    text = client.get(f"/courses/{lesson.course.slug}/lessons/{lesson.slug}/").content.decode()

    for name in ("notebook", "print"):
        assert f'href="{address_of(lesson, name)}"' in text
