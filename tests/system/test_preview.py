"""`preview`: the whole product on a folder that is being written."""

import http.cookiejar
import re
import time
import urllib.request
from pathlib import Path

import pytest

from exercises.content.beginning import new_course_files
from tests.exercises.content.folders import write
from tests.product import Product

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(240)]
CENTRED = "/api/v1/exercises/my-course/centred-rows/"
COURSE = "/courses/my-course/"
RIGHT = "def centred(x):\n    return x - x.mean(dim=-1, keepdim=True)\n"


class Preview(Product):
    """A preview; `get` asks for a page as the student who followed the printed link."""

    def __init__(self, folder: Path):
        super().__init__(folder.parent / "of-the-site", command=("preview", folder))
        self.folder = folder
        self._browser = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()),
        )

    def sign_in(self):
        address = self.sign_in_link("student")
        page = self._open(address)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]
        self._open(address, f"csrfmiddlewaretoken={token}".encode())

    def get(self, path):
        return self._open(self.base + path)

    def wait_for_text(self, path, text, seconds=60):
        end = time.monotonic() + seconds
        while text not in (page := self.get(path)):
            assert time.monotonic() < end, page
            time.sleep(0.1)
        return page

    def wait_for_line(self, line, seconds=60):
        end = time.monotonic() + seconds
        while line not in self.log.read_text():
            assert time.monotonic() < end, self.log.read_text()
            time.sleep(0.1)

    def own_data(self):
        return Path(re.search(r"Starting in (\S+)\.", self.log.read_text())[1])

    def _open(self, address, body=None):
        headers = {"Referer": address, "Accept": "text/html"}
        return self._browser.open(urllib.request.Request(address, body, headers), timeout=30).read().decode()


@pytest.fixture(scope="module")
def preview(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("preview") / "my-course", new_course_files("First title"))
    running = Preview(folder)
    running.start()
    running.wait_for_line("The course is loaded.")
    running.sign_in()
    yield running
    running.stop()


def test_students_see_the_folder_with_real_grading(preview):
    page = preview.get(COURSE)

    assert "Centred rows" in page
    submission = preview.submit(RIGHT, exercise=CENTRED)
    assert preview.graded(submission)["verdict"] == "accepted"
    wrong = preview.submit("def centred(x):\n    return x - x.mean()\n", exercise=CENTRED)
    assert preview.graded(wrong)["verdict"] == "wrong_answer"


def test_a_save_shows_again(preview):
    file = preview.folder / "course.yaml"
    before = file.read_text()

    file.write_text(re.sub("title: .*", "title: Second title", before))

    page = preview.wait_for_text(COURSE, "Second title")
    assert 'data-state="/preview/state"' in page


def test_a_broken_folder_shows_its_problems_and_recovers(preview):
    file = preview.folder / "exercises" / "which-axis" / "exercise.yaml"
    before = file.read_text()

    file.write_text(before.replace("kind: choice", "kind: chioce"))

    page = preview.wait_for_text(COURSE, "1 problem in the folder")
    assert "exercises/which-axis/exercise.yaml, line 3, `kind`" in page
    assert "kind: chioce" in page
    preview.wait_for_line("1 problem, nothing was changed:\n  exercises/which-axis/exercise.yaml, line 3")
    file.write_text(before)
    assert "Centred rows" in preview.wait_for_text(COURSE, "Which axis")


def test_no_site_is_touched(preview):
    assert not preview.data.exists()
    assert preview.own_data().name.startswith("quizsite-preview-")


def test_nothing_stays_behind(tmp_path):
    running = Preview(write(tmp_path / "my-course", new_course_files("A course")))
    running.start()
    data = running.own_data()
    assert data.is_dir()

    assert running.stop() == 0

    assert not data.exists()
    assert running.log.read_text().endswith("Stopped.\n")
