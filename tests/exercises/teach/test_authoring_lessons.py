import io
import zipfile

import pytest

from exercises.choices import AuditAction
from exercises.content.zips import write_zip
from exercises.models import Asset
from exercises.queries import course_files, head_of
from exercises.services import create_lesson, save_lesson
from exercises.services.lessons import lesson_digest
from tests.exercises.authoring import make_author, make_working_copy
from tests.exercises.teach.authoring_requests import HTMX, course_address, said
from tests.factories import make_course, make_exercise

pytestmark = pytest.mark.django_db
SOURCE = "---\ntitle: First\nsummary: Short.\n---\n\n## One\n\nText with $x$.\n\n```python run\nprint(1)\n```\n"
PNG = b"\x89PNG\r\n\x1a\n rest"


@pytest.fixture
def course():
    return make_course()


@pytest.fixture
def author(course, client):
    author = make_author(course)
    client.force_login(author)
    return author


@pytest.fixture
def lesson(course, author):
    return create_lesson(course, "first", source=SOURCE, author=author)


def lesson_address(lesson, end=""):
    return f"/author/courses/{lesson.course.slug}/lessons/{lesson.slug}/{end}"


def form(lesson, source):
    return {"source": source.replace("\n", "\r\n"), "seen": lesson_digest(lesson.source)}


def test_new_lesson_begins_readable(client, author, course):
    client.post(course_address("new-lesson", course), {"title": "Rows: and “columns”"})

    lesson = course.lessons.get()
    assert (lesson.slug, lesson.title) == ("rows-and-columns", "Rows: and “columns”")
    assert len(lesson.snippets) == 1


def test_address_of_a_lesson_that_is_taken_is_refused(client, lesson):
    response = client.post(course_address("new-lesson", lesson.course), {"title": "First"})

    assert response.status_code == 400
    assert "already" in response.context["form"].errors["slug"][0]


def test_saved_text_is_what_students_read(client, lesson, course):
    make_exercise(course, slug="one-score")
    text = SOURCE + "\n::: exercise one-score\n"

    client.post(lesson_address(lesson), form(lesson, text))

    lesson.refresh_from_db()
    assert lesson.source == text
    assert [item.exercise.slug for item in lesson.embedded.all()] == ["one-score"]
    assert course.audit_entries.first().action == AuditAction.LESSON_SAVED


def test_text_with_problems_is_kept_in_the_page_and_not_saved(client, lesson):
    text = SOURCE + "\n::: exercise nowhere\n"

    response = client.post(lesson_address(lesson), form(lesson, text))

    lesson.refresh_from_db()
    assert (response.status_code, lesson.source) == (400, SOURCE)
    assert "::: exercise nowhere" in response.content.decode()
    assert response.context["problems"][0]["line"] == 14


def test_second_author_keeps_what_they_wrote(client, lesson, author):
    mine = form(lesson, SOURCE + "\nMine.\n")
    save_lesson(lesson, source=SOURCE + "\nTheirs.\n", seen=lesson_digest(SOURCE), author=author)

    response = client.post(lesson_address(lesson), mine)

    page = response.content.decode()
    assert response.status_code == 409
    assert "Theirs." in page
    assert "Mine." in page
    lesson.refresh_from_db()
    assert "Theirs." in lesson.source


def test_script_hears_what_became_of_a_save(client, lesson):
    refused = client.post(lesson_address(lesson), form(lesson, "no front matter"), headers=HTMX)
    taken = client.post(lesson_address(lesson), form(lesson, SOURCE + "\nMore.\n"), headers=HTMX)

    assert (refused.status_code, refused.json()["problems"][0]["line"]) == (400, 1)
    assert taken.json()["seen"] == lesson_digest(SOURCE + "\nMore.\n")


def test_preview_is_rendered_and_not_saved(client, lesson):
    told = client.post(lesson_address(lesson, "preview/"), form(lesson, SOURCE + "\n**bold**\n")).json()

    assert "<strong>bold</strong>" in told["html"]
    assert told["problems"] == []
    lesson.refresh_from_db()
    assert lesson.source == SOURCE


def test_preview_shows_where_an_exercise_stands_and_whether_students_see_it(client, lesson, course):
    shown, waiting = make_exercise(course), make_exercise(course)
    waiting.published = None
    waiting.save()
    source = f"{SOURCE}\n::: exercise {shown.slug}\n\nBetween.\n\n::: exercise {waiting.slug}\n"

    html = client.post(lesson_address(lesson, "preview/"), form(lesson, source)).json()["html"]

    first, second = html.split("Between.")
    assert f'/exercises/{shown.slug}/">{shown.versions.get().title}</a>' in first
    assert "Not published" not in first
    assert f'/exercises/{waiting.slug}/">{waiting.slug}</a>' in second
    assert "Not published" in second


def test_preview_leaves_no_place_for_an_exercise_that_was_put_away(client, lesson, course):
    gone = make_exercise(course, is_retired=True)

    told = client.post(lesson_address(lesson, "preview/"), form(lesson, f"{SOURCE}\n::: exercise {gone.slug}\n")).json()

    assert gone.slug not in told["html"]


def test_lessons_change_places(client, lesson, course, author):
    create_lesson(course, "second", source=SOURCE, author=author)

    client.post(lesson_address(lesson, "move/"), {"to": "behind"})

    assert list(course.lessons.values_list("slug", flat=True)) == ["second", "first"]


def test_lesson_is_put_away_and_its_address_taken_again(client, lesson, course, author):
    client.post(lesson_address(lesson, "retire/"))

    assert client.get(lesson_address(lesson)).status_code == 404
    again = create_lesson(course, "first", source=SOURCE, author=author)
    assert (again.pk, again.is_retired) == (lesson.pk, False)


def upload_of(name, content):
    file = io.BytesIO(content)
    file.name = name
    return file


def test_picture_is_added_and_removed(client, author, course):
    client.post(course_address("files", course), {"upload": upload_of("dots.png", PNG)})

    asset = Asset.objects.get()
    assert (asset.path, asset.media_type, bytes(asset.content)) == ("dots.png", "image/png", PNG)
    assert "dots.png" in client.get(course_address("files", course)).content.decode()
    client.post(f"{course_address('files', course)}remove/", {"path": "dots.png"})
    assert not Asset.objects.exists()


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("page.html", b"<b>", "expected one of the types"),
        ("dots.png", b"GIF8", "found other content"),
        ("large.txt", b"x" * (1024 * 1024 + 1), "at most 1 MiB"),
        ("a b.png", PNG, "expected a name"),
        (".hidden.png", PNG, "no name for a file"),
    ],
)
def test_file_that_a_course_does_not_take_is_refused(client, author, course, name, content, word):
    response = client.post(course_address("files", course), {"upload": upload_of(name, content)}, follow=True)

    assert word in said(response)[0]
    assert not Asset.objects.exists()


def test_course_is_downloaded_and_uploaded_again(client, lesson, course):
    exercise = make_working_copy(course)
    answer = client.get(course_address("download", course))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{course.slug}.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
    assert f"{course.slug}/lessons/first.md" in names
    before = course_files(course, heads=True)

    page = client.post(course_address("upload", course), {"zip": upload_of("course.zip", answer.content)})

    course.refresh_from_db()
    assert course_files(course, heads=True) == before
    assert "Not proven sound" in page.content.decode()
    exercise.refresh_from_db()
    assert (exercise.published, head_of(exercise).number) == (None, 1)


def test_upload_with_problems_changes_nothing(client, lesson, course):
    files = {**course_files(course), "lessons/first.md": b"no front matter", "exercises/x/exercise.yaml": b"kind: [\n"}

    response = client.post(course_address("upload", course), {"zip": upload_of("c.zip", write_zip(files))})

    lesson.refresh_from_db()
    page = response.content.decode()
    assert (response.status_code, lesson.source) == (400, SOURCE)
    assert "lessons/first.md" in page
    assert "exercises/x/exercise.yaml" in page


@pytest.mark.parametrize("content", [b"no zip", b""])
def test_upload_that_is_no_zip_is_refused(client, author, course, content):
    response = client.post(course_address("upload", course), {"zip": upload_of("c.zip", content)})

    assert response.status_code in (302, 400)
