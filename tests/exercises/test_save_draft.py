import pytest

from exercises.errors import InvalidFieldError, StaleDraftError
from exercises.models import Draft
from exercises.services import save_draft
from tests.factories import make_exercise, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def student():
    return make_user()


@pytest.fixture
def exercise():
    return make_exercise()


def test_each_save_raises_the_revision(student, exercise):
    first = save_draft(student, exercise, source="a", revision=0)
    second = save_draft(student, exercise, source="ab", revision=first.revision)

    assert (first.revision, second.revision) == (1, 2)
    assert Draft.objects.get().source == "ab"


def test_empty_text_is_a_draft_too(student, exercise):
    assert save_draft(student, exercise, source="", revision=0).revision == 1


def test_same_text_once_more_changes_nothing(student, exercise):
    save_draft(student, exercise, source="a", revision=0)

    assert save_draft(student, exercise, source="a", revision=0).revision == 1


def test_stale_tab_is_refused_and_its_text_set_aside(student, exercise):
    save_draft(student, exercise, source="from one tab", revision=0)

    with pytest.raises(StaleDraftError) as caught:
        save_draft(student, exercise, source="from another", revision=0)

    assert caught.value.draft.source == "from one tab"
    stored = Draft.objects.get()
    assert (stored.source, stored.set_aside, stored.revision) == ("from one tab", "from another", 1)


def test_students_have_drafts_of_their_own(student, exercise):
    save_draft(student, exercise, source="mine", revision=0)

    assert save_draft(make_user(), exercise, source="yours", revision=0).source == "yours"


def test_source_of_the_wrong_form_is_refused(student, exercise):
    with pytest.raises(InvalidFieldError):
        save_draft(student, exercise, source=None, revision=0)

    assert not Draft.objects.exists()
