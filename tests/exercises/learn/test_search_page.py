from tests.factories import make_course, make_exercise, make_lesson


def test_search_finds_lessons_and_marks_the_words(client, student, course):
    make_lesson(course, title="Weights", search_text="The softmax turns scores into weights.")

    page = client.get("/search/", {"q": "SOFTMAX"})

    assert [hit["title"] for hit in page.context["hits"]] == ["Weights"]
    assert "<mark>softmax</mark>" in page.content.decode()


def test_search_finds_exercises(client, student, course):
    exercise = make_exercise(course, definition={"prompt": "Write a softmax."})

    page = client.get("/search/", {"q": "softmax"})

    assert page.context["hits"][0]["url"] == f"/courses/{course.slug}/exercises/{exercise.slug}/"


def test_search_leaves_out_other_courses(client, student):
    make_lesson(make_course(), search_text="softmax")

    page = client.get("/search/", {"q": "softmax"})

    assert page.context["hits"] == []
    assert "Nothing holds all of these words" in page.content.decode()


def test_search_text_is_no_markup(client, student, course):
    make_lesson(course, title="<b>Bold</b>", search_text="softmax <script>alert(1)</script>")

    text = client.get("/search/", {"q": "softmax"}).content.decode()

    assert "<script>alert" not in text
    assert "<b>Bold" not in text


def test_formulas_are_shown_as_words_and_signs(client, student, course):
    make_lesson(course, search_text=r"The softmax of $-\infty$ and $\operatorname{f}\left(\sqrt{d}\right)$.")

    text = client.get("/search/", {"q": "softmax"}).content.decode()

    assert " of -∞ and f (√ d )" in text


def test_search_takes_odd_queries(client, student):
    for query in ("", " ", "(", "a" * 5000, "%", "\\"):
        assert client.get("/search/", {"q": query}).status_code == 200


def test_search_takes_as_many_queries_for_three_hits(client, student, course, queries_of):
    make_lesson(course, search_text="softmax")
    queries_of("/search/?q=softmax")
    one = queries_of("/search/?q=softmax")
    for _ in range(2):
        make_lesson(course, search_text="softmax")

    assert queries_of("/search/?q=softmax") == one


def test_words_in_titles_are_escaped_and_marked(client, student, course):
    make_lesson(course, title="<i>Softmax</i> & softmaxes", search_text="amp lt")

    text = client.get("/search/", {"q": "softmax softmaxes amp"}).content.decode()

    assert "&lt;i&gt;<mark>Softmax</mark>&lt;/i&gt; &amp; <mark>softmaxes</mark>" in text


def test_hit_in_a_lesson_leads_to_its_section(client, student, course):
    html = '<h2 id="s-scores">Scores</h2><p>softmax</p>'
    lesson = make_lesson(course, html=html, search_text="Scores softmax")

    page = client.get("/search/", {"q": "softmax"})

    assert page.context["hits"][0]["url"] == f"/courses/{course.slug}/lessons/{lesson.slug}/#s-scores"
