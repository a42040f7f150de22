import pytest

from exercises.choices import Role
from exercises.errors import InvalidFieldError, NotAllowedError
from exercises.models import Comment, Notice
from exercises.services import submit
from exercises.services.comments import comment, remove_comment
from tests.factories import make_course, make_exercise, make_graded, make_member, right_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def submission():
    return make_graded(source="one\ntwo")


@pytest.fixture
def assistant(submission):
    return make_member(submission.exercise.course, role=Role.ASSISTANT)


def test_comment_stands_at_a_line_and_its_student_is_told_once(submission, assistant):
    made = comment(submission, author=assistant, text=" Which axis? ", line=2)
    comment(submission, author=assistant, text="Well done.")

    assert (made.line, made.text, made.author) == (2, "Which axis?", assistant)
    told = Notice.objects.get(user=submission.student)
    assert told.text == f"Staff commented on your submission of “{submission.version.title}”."
    assert told.url == f"/submissions/{submission.pk}/#comments"


@pytest.mark.parametrize("line", [0, 3, -1, "1", 1.0, True])
def test_line_must_be_there(submission, assistant, line):
    with pytest.raises(InvalidFieldError) as caught:
        comment(submission, author=assistant, text="Here", line=line)

    assert caught.value.field == "line"


def test_response_has_no_lines(assistant, submission):
    exercise = make_exercise(submission.exercise.course, kind="choice")
    student = submission.student
    answered = submit(student, exercise, response=right_response(student, exercise))

    assert comment(answered, author=assistant, text="Good").line is None
    with pytest.raises(InvalidFieldError):
        comment(answered, author=assistant, text="Good", line=1)


@pytest.mark.parametrize("text", ["", " ", None, "x\0", "x" * 10_001])
def test_text_of_a_wrong_form_is_refused(submission, assistant, text):
    with pytest.raises(InvalidFieldError):
        comment(submission, author=assistant, text=text)


def test_only_staff_comment_and_only_who_wrote_it_takes_it_back(submission, assistant):
    stranger = make_member(make_course(), role=Role.INSTRUCTOR)
    for person in (submission.student, stranger):
        with pytest.raises(NotAllowedError):
            comment(submission, author=person, text="Hello")
    made = comment(submission, author=assistant, text="Hello")
    with pytest.raises(NotAllowedError):
        remove_comment(made, author=make_member(submission.exercise.course, role=Role.INSTRUCTOR))

    remove_comment(made, author=assistant)

    assert not Comment.objects.exists()
