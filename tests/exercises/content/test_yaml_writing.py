import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exercises.content.yamltext import read_yaml
from exercises.content.yamlwriting import write_yaml

WORDS = [
    "yes",
    "null",
    "1e-3",
    "12:30",
    "2026-11-29",
    "{{ d }}",
    r"\frac{a}{b}",
    "it's",
    'say "so"',
    "a: b",
    "# no",
    "-",
]
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="".join(map(chr, [*range(32), 127])))
TEXTS = st.text(LETTERS | st.sampled_from(["\n", "\t", " "]), max_size=20) | st.sampled_from(WORDS)
NUMBERS = st.integers(-(10**9), 10**9) | st.floats(allow_nan=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def as_read(value):
    """Lists are read as tuples, whole floats as whole numbers."""
    if isinstance(value, list):
        return tuple(map(as_read, value))
    if isinstance(value, dict):
        return {key: as_read(item) for key, item in value.items()}
    return value


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
@example({"a": "\n"})
@example({"a": " \n  b\n\n", "c": ["\n x", {"d": "e\nf"}]})
@example({"a": "one\x85two", "b": "a\u2028b\n"})
def test_what_is_written_is_read_again(value):
    document = read_yaml(write_yaml(value), "a.yaml")

    assert [str(problem) for problem in document.problems] == []
    assert document.value == as_read(value)


def test_it_is_pleasant_to_read():
    value = {
        "title": "How much",
        "prompt": "Count.\n\nTwice.\n",
        "accept": [{"exact": "yes"}, {"pattern": r"\d+", "ignore_case": True}],
        "tags": [],
        "answer": [[1.0, 0.5], []],
        "blanks": {"one": {"answer": 5}},
    }

    assert write_yaml(value) == (
        "title: How much\n"
        "prompt: |\n"
        "  Count.\n"
        "\n"
        "  Twice.\n"
        "accept:\n"
        "  - exact: 'yes'\n"
        "  - pattern: '\\d+'\n"
        "    ignore_case: true\n"
        "tags: []\n"
        "answer:\n"
        "  - - 1\n"
        "    - 0.5\n"
        "  - []\n"
        "blanks:\n"
        "  one:\n"
        "    answer: 5\n"
    )


def test_what_has_no_form_is_refused():
    with pytest.raises(TypeError, match="found bytes"):
        write_yaml({"a": b"b"})
