from pathlib import Path

import pytest

from exercises.teach.classes import definitions

PAGE = " ".join((Path(__file__).parents[3] / "docs" / "statistics.md").read_text().split())
ALL = [*definitions.AT_RISK, *definitions.OF_EXERCISES, definitions.HARDEST, definitions.HAND_INS]


@pytest.mark.parametrize("definition", ALL, ids=lambda definition: str(definition.term))
def test_the_page_for_instructors_has_the_same_words(definition):
    assert str(definition.term) in PAGE
    assert str(definition.meaning) in PAGE
