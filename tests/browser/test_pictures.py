"""Tensors as pictures: seen, spoken, stepped through, copied; no fault in any look."""

import pytest

from tests.browser.gallery import make_gallery
from tests.browser.looks import LOOKS, faults_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OPEN_ALL = "() => document.querySelectorAll('details.fold').forEach((fold) => { fold.open = true; })"


@pytest.mark.parametrize("look", LOOKS)
def test_pictures_have_no_fault(demo, visit, look):
    submission = make_gallery(demo.student, demo.course)
    visitor = visit(demo.student, **LOOKS[look])
    visitor.page.add_init_script("addEventListener('DOMContentLoaded', " + OPEN_ALL + ")")

    assert faults_of(visitor, f"/submissions/{submission.pk}/", f"pictures-{look}") == []
