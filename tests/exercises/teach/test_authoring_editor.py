import pytest

from exercises.content.writing import stored_files
from exercises.queries import head_of
from exercises.services import save_revision
from tests.exercises.authoring import CODE_FILES, NUMERIC, UNREADABLE_FILES, make_author, make_working_copy
from tests.exercises.teach.authoring_requests import HTMX, address, form_of
from tests.factories import make_course

pytestmark = pytest.mark.django_db
YAML = "file:exercise.yaml"


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course, client):
    author = make_author(course, first_name="Ines")
    client.force_login(author)
    return author


@pytest.fixture
def exercise(course, author):
    return make_working_copy(course, files=CODE_FILES, author=author, slug="double")


def test_form_saves_a_revision_with_plain_line_ends(client, exercise, author):
    response = client.post(address("exercise", exercise), form_of(exercise, reference_py="def double(x):\n    ...\n"))

    head = head_of(exercise)
    assert response.headers["Location"] == address("exercise", exercise)
    assert (head.number, head.based_on, head.saved_by) == (2, 1, author)
    assert head.files == {**CODE_FILES, "reference.py": "def double(x):\n    ...\n"}


def test_saving_without_a_change_makes_no_revision(client, exercise):
    client.post(address("exercise", exercise), form_of(exercise))

    assert head_of(exercise).number == 1


def test_line_ends_that_an_author_chose_stay(client, exercise, author):
    save_revision(exercise, files={**CODE_FILES, "starter.py": "a\r\nb\r\n"}, based_on=1, author=author)

    client.post(address("exercise", exercise), form_of(exercise, reference_py="x = 1\n"))

    assert head_of(exercise).files["starter.py"] == "a\r\nb\r\n"


def test_files_that_no_form_can_hold_stay(client, exercise, author):
    binary = stored_files({"data/weights.npy": b"\x93NUMPY\0"})
    save_revision(exercise, files={**CODE_FILES, **binary}, based_on=1, author=author)

    client.post(address("exercise", exercise), form_of(exercise, reference_py="x = 1\n"))

    assert head_of(exercise).files["data/weights.npy"] == binary["data/weights.npy"]


def test_file_is_removed(client, exercise):
    client.post(address("exercise", exercise), {**form_of(exercise), "remove": ["starter.py"]})

    assert "starter.py" not in head_of(exercise).files


def test_script_saves_and_hears_what_is_missing(client, exercise):
    form = form_of(exercise, exercise_yaml="format: 1\nkind: code\ntitle: T\nentry: double\nlimit: 1\n")

    told = client.post(address("exercise", exercise), form, headers=HTMX).json()

    assert told["revision"] == 2
    assert [(problem["file"], problem["line"]) for problem in told["problems"]] == [
        ("exercise.yaml", 1),
        ("exercise.yaml", 5),
    ]
    assert told["problems"][1]["anchor"] == "file-exercise-yaml"
    assert "did you mean `limits`" in told["problems"][1]["message"]


def test_second_author_is_led_to_both_texts_and_nothing_is_lost(client, exercise, course):
    form = form_of(exercise, reference_py="mine = 1\n")
    other = make_author(course, first_name="Otto")
    save_revision(exercise, files={**CODE_FILES, "reference.py": "theirs = 1\n"}, based_on=1, author=other)

    response = client.post(address("exercise", exercise), form, follow=True)

    page = response.content.decode()
    assert response.request["QUERY_STRING"] == "older=r2&newer=r3"
    assert "Otto saved revision 2 while another author was writing." in page
    assert "What Ines wrote is kept as revision 3." in page
    assert [(line.look, line.text) for line in response.context["diffs"][0].lines][1:] == [
        ("removed", "theirs = 1"),
        ("added", "mine = 1"),
    ]
    assert head_of(exercise).number == 2
    client.post(address("restore", exercise), {"kept": "r3", "based_on": "2"})
    assert head_of(exercise).files["reference.py"] == "mine = 1\n"


def test_script_of_the_second_author_hears_of_the_first(client, exercise, author):
    form = form_of(exercise, reference_py="mine = 1\n")
    save_revision(exercise, files=UNREADABLE_FILES, based_on=1, author=author)

    response = client.post(address("exercise", exercise), form, headers=HTMX)

    assert response.status_code == 409
    assert response.json()["url"].endswith("/history/?older=r2&newer=r3")


def test_older_text_is_opened_upon_the_head(client, exercise, author):
    save_revision(exercise, files={**CODE_FILES, "reference.py": "x = 2\n"}, based_on=1, author=author)

    page = client.get(f"{address('exercise', exercise)}?from=1")

    assert {tab.path: tab.text for tab in page.context["tabs"]} == CODE_FILES
    assert 'name="based_on" value="2"' in page.content.decode()


def test_revision_that_is_none_is_not_found(client, exercise):
    assert client.get(f"{address('exercise', exercise)}?from=9").status_code == 404


def test_mistake_comes_with_its_words(client, exercise):
    mistake = {"action": "add-mistake", "slug": "tripled", "title": "Three times", "feedback": "How often?"}

    client.post(address("exercise", exercise), {**form_of(exercise), **mistake})

    files = head_of(exercise).files
    assert files["mistakes/tripled.py"] == CODE_FILES["reference.py"]
    assert files["exercise.yaml"].endswith(
        "mistakes:\n  tripled:\n    title: Three times\n    feedback: 'How often?'\n"
    )
    assert client.get(address("exercise", exercise)).context["problems"] == []


@pytest.mark.parametrize("lacking", ["slug", "title", "feedback"])
def test_mistake_without_its_words_is_refused_and_the_form_kept(client, exercise, lacking):
    mistake = {"action": "add-mistake", "slug": "tripled", "title": "Three times", "feedback": "How often?"}
    form = {**form_of(exercise, reference_py="kept = 1\n"), **mistake, lacking: ""}

    response = client.post(address("exercise", exercise), form)

    assert response.status_code == 400
    assert "Nothing was saved." in response.content.decode()
    assert "kept = 1" in response.content.decode()
    assert head_of(exercise).number == 1


def test_file_that_the_kind_needs_is_added(client, exercise):
    client.post(address("exercise", exercise), {**form_of(exercise), "remove": ["cases.py", "reference.py"]})
    page = client.get(address("exercise", exercise))
    assert page.context["missing"] == ["reference.py", "cases.py"]

    client.post(address("exercise", exercise), {**form_of(exercise), "action": "add:cases.py"})

    assert "def visible():" in head_of(exercise).files["cases.py"]


@pytest.mark.parametrize("path", ["reference.py", "other.py", "../x", ""])
def test_file_that_the_kind_does_not_need_is_not_added(client, exercise, path):
    client.post(address("exercise", exercise), {**form_of(exercise), "action": f"add:{path}"})

    assert head_of(exercise).files == CODE_FILES


def test_driver_is_begun(client, exercise):
    client.post(address("exercise", exercise), {**form_of(exercise), "action": "add-driver"})

    assert "def drive(entry, case):" in head_of(exercise).files["driver.py"]


def test_data_is_uploaded(client, exercise, tmp_path):
    file = tmp_path / "points.npy"
    file.write_bytes(b"\x93NUMPY\0")

    with file.open("rb") as upload:
        client.post(address("exercise", exercise), {**form_of(exercise), "action": "upload", "upload": upload})

    assert head_of(exercise).files["data/points.npy"] == {"base64": "k05VTVBZAA=="}


def test_upload_without_a_file_is_refused(client, exercise):
    response = client.post(address("exercise", exercise), {**form_of(exercise), "action": "upload"})

    assert response.status_code == 400
    assert head_of(exercise).number == 1


@pytest.mark.parametrize("lacking", ["based_on", YAML])
def test_form_without_its_parts_saves_nothing(client, exercise, lacking):
    form = {name: value for name, value in form_of(exercise).items() if name != lacking}

    assert client.post(address("exercise", exercise), form).status_code == 400
    assert head_of(exercise).number == 1


def test_path_that_leads_out_is_refused(client, exercise):
    response = client.post(address("exercise", exercise), {**form_of(exercise), "file:../up.py": "x"})

    assert response.status_code == 400
    assert head_of(exercise).number == 1


def test_preview_shows_what_is_not_saved_and_saves_nothing(client, course, author):
    exercise = make_working_copy(course, author=author)
    form = form_of(exercise, exercise_yaml=NUMERIC.replace("Count.", "Count **them**."))

    told = client.post(address("preview", exercise), form).json()

    assert told["problems"] == []
    assert "Count <strong>them</strong>." in told["html"]
    assert address("try-answer", exercise) in told["html"]
    assert head_of(exercise).number == 1


def test_preview_of_what_cannot_be_read_names_problems_alone(client, exercise):
    told = client.post(address("preview", exercise), form_of(exercise, exercise_yaml="kind: [\n")).json()

    assert told["html"] == ""
    assert told["problems"][0]["file"] == "exercise.yaml"


def test_preview_runs_nothing_that_is_written(client, exercise):
    attack = "<img src=x onerror=alert(1)>"
    yaml = CODE_FILES["exercise.yaml"].replace("Double it", attack).replace("Write `double`.", attack)

    html = client.post(address("preview", exercise), form_of(exercise, exercise_yaml=yaml)).json()["html"]
    page = client.post(address("exercise", exercise), form_of(exercise, exercise_yaml=yaml), follow=True)

    assert "<img" not in html
    assert "&lt;img" in html
    assert attack not in page.content.decode()


def test_preview_finds_pictures_of_the_course(client, course, author):
    course.assets.create(path="a.png", media_type="image/png", digest="x", content=b"x")
    exercise = make_working_copy(course, author=author)
    form = form_of(exercise, exercise_yaml=NUMERIC.replace("Count.", "'![dots](assets/a.png)'"))

    html = client.post(address("preview", exercise), form).json()["html"]

    assert f'src="/courses/{course.slug}/assets/a.png"' in html
