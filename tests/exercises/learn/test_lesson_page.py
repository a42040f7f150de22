from exercises.choices import Kind, RunKind
from exercises.content.markdown import render_lesson
from exercises.models import Run
from tests.exercises.learn.people import expecting
from tests.factories import make_course, make_exercise, make_graded, make_lesson

HTMX = {"HX-Request": "true"}
BODY = """## Scores

Text with <script>alert(1)</script>.

```python run
print("<b>5</b>")
```

```output
<b>5</b>
```

### Weights & more

::: exercise why
"""


def make_rendered(course, body=BODY):
    rendered = render_lesson(body)
    return make_lesson(course, html=rendered.html, snippets=list(rendered.snippets), title="Attention")


def address_of(lesson):
    return f"/courses/{lesson.course.slug}/lessons/{lesson.slug}/"


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_lesson_is_for_members(client, people, course, who, status):
    client.force_login(people[who])

    assert client.get(address_of(make_lesson(course))).status_code == status


def test_lesson_lists_its_sections(client, student, course):
    sections = client.get(address_of(make_rendered(course))).context["sections"]

    assert [(section.level, section.title) for section in sections] == [(2, "Scores"), (3, "Weights & more")]


def test_lesson_gives_each_snippet_a_form_with_its_source(client, student, course):
    lesson = make_rendered(course)

    text = client.get(address_of(lesson)).content.decode()

    assert f'action="{address_of(lesson)}run/"' in text
    assert "&lt;b&gt;5&lt;/b&gt;" in text
    assert "<b>5</b>" not in text
    assert "<script>alert" not in text
    assert "snippet-actions" not in text


def test_lesson_embeds_a_question_that_can_be_answered_in_place(client, student, course):
    lesson = make_rendered(course)
    exercise = make_exercise(course, kind=Kind.CHOICE, slug="why", version={"title": "Why?"})
    lesson.embedded.create(exercise=exercise, position=0)

    text = client.get(address_of(lesson)).content.decode()

    assert f'action="/courses/{course.slug}/exercises/why/submit/"' in text
    assert text.count('type="radio"') == 2
    assert "Yes." not in text


def test_lesson_links_code_to_its_page(client, student, course):
    lesson = make_rendered(course)
    lesson.embedded.create(exercise=make_exercise(course, slug="why"), position=0)

    text = client.get(address_of(lesson)).content.decode()

    assert f'href="/courses/{course.slug}/exercises/why/"' in text
    assert "Open the editor" in text


def test_lesson_leaves_no_trace_of_a_retired_exercise(client, student, course):
    lesson = make_rendered(course)
    lesson.embedded.create(exercise=make_exercise(course, slug="why", is_retired=True), position=0)

    text = client.get(address_of(lesson)).content.decode()

    assert "embedded-exercise" not in text
    assert "/exercises/why/" not in text


def test_prompt_cannot_take_the_place_of_a_snippet(client, student, course):
    trick = '<div class="snippet-actions" data-snippet="0"></div>'
    lesson = make_rendered(course)
    exercise = make_exercise(course, slug="why", definition={"prompt": f"Look: {trick}"})
    lesson.embedded.create(exercise=exercise, position=0)

    text = client.get(address_of(lesson)).content.decode()

    assert text.count('class="snippet-form') == 1


def test_lesson_knows_its_neighbours(client, student, course):
    first, second, third = (make_lesson(course, position=n) for n in (1, 2, 3))

    page = client.get(address_of(second))

    assert page.context["previous"] == first
    assert page.context["next"] == third


def test_lesson_takes_as_many_queries_for_three_exercises(client, student, course, queries_of):
    lesson = make_rendered(course)
    lesson.embedded.create(exercise=make_exercise(course, kind=Kind.CHOICE, slug="why"), position=0)
    queries_of(address_of(lesson))
    one = queries_of(address_of(lesson))
    for number in (1, 2):
        exercise = make_exercise(course)
        lesson.embedded.create(exercise=exercise, position=number)
        make_graded(student, exercise)

    assert queries_of(address_of(lesson)) == one


def test_snippet_is_run_as_edited(client, student, course):
    lesson = make_rendered(course)
    sent = {"snippet": "0", "source": "print(1)\r\nprint(2)\r\n"}

    response = client.post(f"{address_of(lesson)}run/", sent, headers=HTMX)

    run = Run.objects.get()
    assert (run.student, run.kind, run.lesson, run.snippet) == (student, RunKind.SNIPPET, lesson, 0)
    assert run.source == "print(1)\nprint(2)\n"
    text = response.content.decode()
    assert f'id="run-{run.pk}"' in text
    assert f'hx-get="/runs/{run.pk}/panel/"' in text
    assert 'data-events="/events/' in text


def test_snippet_without_script_leads_to_the_page_of_the_run(client, student, course):
    lesson = make_rendered(course)

    response = client.post(f"{address_of(lesson)}run/", {"snippet": "0", "source": "print(1)"})

    assert response["Location"] == f"/runs/{Run.objects.get().pk}/"


def test_unknown_snippet_is_refused_with_words(client, student, course):
    lesson = make_rendered(course)
    for number in ("1", "-1", "x", "", "9" * 40):
        response = client.post(f"{address_of(lesson)}run/", {"snippet": number, "source": "1"}, headers=HTMX)

        assert response.status_code == 400
        assert "snippet" in response.content.decode()
    assert not Run.objects.exists()


@expecting(owner=200, classmate=200, stranger=404, teacher=200)
def test_snippets_run_for_members(client, people, course, who, status):
    lesson = make_rendered(course)
    client.force_login(people[who])

    response = client.post(f"{address_of(lesson)}run/", {"snippet": "0", "source": "1"}, headers=HTMX)

    assert response.status_code == status


def test_lesson_of_another_course_is_not_found(client, student, course):
    lesson = make_lesson(make_course())

    assert client.get(f"/courses/{course.slug}/lessons/{lesson.slug}/").status_code == 404
