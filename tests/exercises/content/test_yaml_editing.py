import pytest

from exercises.content import ContentError
from exercises.content.yamlediting import with_equivalent, with_mistake
from exercises.content.yamltext import read_yaml

FILE = "exercise.yaml"
START = "format: 1  # the first\nkind: code\nprompt: |\n  Two\n\n  lines.\n"
SAID = {"change": "a['x'] → b", "reason": "Because: no."}


def equivalent(text):
    return with_equivalent(text, change=SAID["change"], reason=SAID["reason"], file=FILE)


@pytest.mark.parametrize(
    ("mutants", "before"),
    [
        ("", ()),
        ("mutants: {}\n", ()),
        ("mutants:\n", ()),
        ("mutants:\n  equivalent: []  # none yet\n", ()),
        ("mutants: {equivalent: [{change: c, reason: d}]}\n", ({"change": "c", "reason": "d"},)),
        ("mutants:\n  equivalent:\n    - change: c\n      reason: d\n", ({"change": "c", "reason": "d"},)),
        ("mutants:\n  equivalent:\n  - change: c\n    reason: |\n      d\n", ({"change": "c", "reason": "d\n"},)),
    ],
)
@pytest.mark.parametrize("behind", ["", "# a remark\nlimits: {cpu_seconds: 2}\n"])
def test_equivalent_is_added_and_all_else_stays(mutants, before, behind):
    text = START + mutants + behind

    found = equivalent(text)

    value = read_yaml(found, FILE).value
    assert value["mutants"] == {"equivalent": (*before, SAID)}
    assert found.startswith(START)
    assert behind in found
    rest = {name: item for name, item in value.items() if name != "mutants"}
    assert rest == {name: item for name, item in read_yaml(text, FILE).value.items() if name != "mutants"}


def test_remark_beside_a_value_in_one_line_stays():
    assert "mutants:  # mine\n" in equivalent("mutants: {equivalent: []}  # mine\n")


def test_text_without_a_last_line_end_is_continued():
    assert read_yaml(equivalent("format: 1\nkind: code"), FILE).value["mutants"] == {"equivalent": (SAID,)}


def test_mistake_is_added_behind_the_others():
    text = "mistakes:\n  one: {title: One, feedback: Look.}\n# the end\n"

    found = with_mistake(text, "two", title="Two: it", feedback="See\nthere.", file=FILE)

    assert found.startswith("mistakes:\n  one: {title: One, feedback: Look.}\n  two:\n")
    assert found.endswith("# the end\n")
    assert read_yaml(found, FILE).value["mistakes"]["two"] == {"title": "Two: it", "feedback": "See\nthere."}


@pytest.mark.parametrize("text", ["", "- a list\n", "a: [\n", "just words\n"])
def test_what_holds_no_fields_is_refused(text):
    with pytest.raises(ContentError):
        equivalent(text)
