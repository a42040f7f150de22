import pytest

from exercises.content.yamltext import dotted, read_yaml

BARE_WORD = "in quotes, found the bare word"
BASE_60 = "in quotes, found it bare, which YAML may read as a number to the base 60"
BRACES = "without quotes, which YAML reads as a mapping; write"
COLON = "a colon with a space behind it stands in bare text; put the text in quotes, or indent the line rightly"


def problems(text, **options):
    return [str(problem) for problem in read_yaml(text, "a.yaml", **options).problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 1e-3),
        ("1E+3", 1000.0),
        (".5", 0.5),
        ("2.", 2.0),
        ("-7", -7),
        ("+7", 7),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        (".inf", float("inf")),
        ("-.Inf", float("-inf")),
        ("'1'", "1"),
        ('"yes"', "yes"),
        ("y", "y"),
        ("0x10", "0x10"),
        ("[1, two]", (1, "two")),
        ("a: {b: c}", {"a": {"b": "c"}}),
        ("|\n  one\n  two", "one\ntwo"),
        ("'\\frac{1}{2}'", "\\frac{1}{2}"),
        ('"one\\ntwo"', "one\ntwo"),
        ('"\\\\frac"', "\\frac"),
        ('"{{ d }} tokens"', "{{ d }} tokens"),
        ("", None),
    ],
)
def test_value(text, value):
    document = read_yaml(text, "a.yaml")

    assert document.problems == ()
    assert document.value == value
    assert type(document.value) is type(value)


def test_lines_of_keys_items_and_texts():
    document = read_yaml("a: 1\nb:\n  - x\n  - c: |\n      text\n", "a.yaml", lines_before=10)

    assert document.line(("a",)) == 11
    assert document.line(("b", 1)) == 14
    assert document.line(("b", 1, "c")) == 14
    assert document.line(("b", 1, "c", "not there")) == 14
    assert document.text_lines["b", 1, "c"] == 15


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: yes", f'line 1, `a`: expected true, or "yes" {BARE_WORD} yes, which YAML may read as true'),
        ("a: Off", f'line 1, `a`: expected false, or "Off" {BARE_WORD} Off, which YAML may read as false'),
        ("on: 1", f'line 1: expected true, or "on" {BARE_WORD} on, which YAML may read as true'),
        ("a:\n  - 12:30", f'line 2, `a[1]`: expected "12:30" {BASE_60}'),
        ("a: 2026-11-29", 'line 1, `a`: expected "2026-11-29" in quotes, found it bare, which YAML may read as a date'),
        ("a: {{ d }}", f'line 1, `a`: expected a value, found {{{{ d }}}} {BRACES} "{{{{ d }}}}"'),
        ("a: {{ d }} tokens", f'line 1, `a`: expected a value, found {{{{ d }}}} {BRACES} "{{{{ d }}}}"'),
        ("a: {{ d", f'line 1, `a`: expected a value, found {{{{ … }}}} {BRACES} "{{{{ … }}}}"'),
        (
            "a: of {{ d }}: x",
            f'line 1: expected a value, found {{{{ d }}}} {BRACES} the whole text in quotes: "{{{{ d }}}}"',
        ),
        ("a: 1\nb: 2\na: 3", "line 3, `a`: given twice, first in line 1"),
        ("a: &x 1", "line 1, `a`: expected a value, found the anchor &x; leave it away"),
        ("a: *x", "line 1, `a`: expected a value, found the alias *x; write the value out"),
        ("a: !!float 1", "line 1, `a`: expected a value, found the tag tag:yaml.org,2002:float; leave it away"),
        ("? [a]\n: 1", "line 1: expected a name before the colon, found a list or a mapping"),
        ("*x : 1", "line 1: expected a value, found the alias *x; write the value out"),
        ("a: 1\n---\nb: 2", "line 2: expected one document, found a second one after `---`"),
        ("a:\n\tb: 1", "line 2: expected spaces, found a tab; YAML indents with spaces only"),
        ("a: b: c", f"line 1: {COLON}"),
        ("a: [1, 2", "line 1: not YAML: expected ',' or ']', but got '<stream end>'"),
        ("a: x\x07", "line 1: expected text, found the character U+0007"),
        ('a: "x\\x00"', "line 1, `a`: expected text, found the character U+0000"),
        ('a: "\\ud83d"', "line 1, `a`: expected text, found the character U+D83D"),
        ("[" * 30 + "]" * 30, "line 1: expected lists and mappings at most 20 deep, found more"),
    ],
)
def test_refused(text, problem):
    assert f"a.yaml, {problem}" in problems(text)


@pytest.mark.parametrize(
    "tex", [r"\frac", r"\theta", r"\nabla", r"\rho", r"\beta", r"\sqrt", r"\alpha", r"\vec", r"\to", r"\neq", r"\xi"]
)
def test_tex_in_double_quotes_is_refused(tex):
    advice = "write the text in single quotes or as a block after |, where a backslash stays one"

    (problem,) = problems(f'x: 1\na: "of {tex} and more"')

    assert problem.startswith("a.yaml, line 2")
    assert f"double quotes turn the {tex[:2]} of {tex} into another character; {advice}" in problem


def test_line_of_mangled_tex_in_a_long_text():
    (problem,) = problems('a: "one\n  two\n  \\\\ \\frac"')

    assert problem.startswith("a.yaml, line 3, `a`")


def test_too_large():
    assert problems("a: " + "x" * 300_000) == ["a.yaml: expected at most 256 KiB of YAML, found 292 KiB"]


def test_alias_bomb_is_not_expanded():
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10))

    found = problems(bomb)

    assert len(found) == 10 + 9 * 9


def test_all_problems_of_a_file_are_found_with_the_lines_of_the_file_around_it():
    found = problems("a: yes\nb: 12:30\nb: 1\n", lines_before=1)

    assert [problem.split(":")[0] for problem in found] == [
        "a.yaml, line 2, `a`",
        "a.yaml, line 3, `b`",
        "a.yaml, line 4, `b`",
    ]


def test_dotted_path():
    assert dotted(("options", 2, "text")) == "options[3].text"
    assert dotted(()) == ""
