import pytest

from exercises.content.case_lists import with_case

OFFER = '{\n    "name": "far",\n    "args": [\n        torch.tensor([1.0]),\n    ],\n},'
PLACED = (
    '        {\n            "name": "far",\n            "args": [\n                torch.tensor([1.0]),\n'
    "            ],\n        },\n"
)


def test_case_goes_to_the_end_of_a_list_in_one_line():
    text = 'import torch\n\n\ndef visible():\n    return [{"name": "two", "args": [1]}]\n'

    assert with_case(text, OFFER, into="visible") == (
        'import torch\n\n\ndef visible():\n    return [\n        {"name": "two", "args": [1]},\n' + PLACED + "    ]\n"
    )


def test_case_goes_behind_remarks_and_before_the_next_function():
    text = (
        "import torch\n\n\ndef hidden(generator):\n    return [\n"
        '        {"name": "a # ] b", "args": [f(x) for x in range(2)]}  # ] a remark\n'
        "    ]\n\n\ndef visible():\n    return []\n"
    )

    found = with_case(text, OFFER, into="hidden")

    assert found == text.replace("}  # ] a remark\n", "},  # ] a remark\n" + PLACED)


def test_empty_list_takes_its_first_case():
    text = "import torch\ndef visible():\n    return []\n"

    assert with_case(text, OFFER, into="visible") == "import torch\ndef visible():\n    return [\n" + PLACED + "    ]\n"


def test_name_that_is_taken_gets_a_number():
    once = with_case("import torch\ndef visible():\n    return []\n", OFFER, into="visible")
    twice = with_case(once, OFFER, into="visible")

    thrice = with_case(twice, OFFER, into="visible")

    assert [name in thrice for name in ('"far"', '"far 2"', '"far 3"', '"far 4"')] == [True, True, True, False]


def test_module_that_lacks_torch_imports_it():
    text = "def visible():\n    return []\n"

    assert with_case(text, OFFER, into="visible").startswith("import torch\n\ndef visible")


@pytest.mark.parametrize(
    "body",
    [
        'return [{"name": "x", "args": [n]} for n in range(3)]',
        "cases = [1]\n    return cases",
        "return made([1])",
        "return [1] + [2]",
        'return [{"name": "]"}, (]',
        "yield {}",
    ],
)
def test_function_that_returns_no_plain_list_is_wrapped(body):
    text = f"import torch\n\n\ndef hidden(generator):\n    {body}\n"

    found = with_case(text, OFFER, into="hidden")

    assert found.startswith(text)
    wrapped = "def hidden(generator):\n    return [\n        *_hidden_before(generator),\n"
    assert f"_hidden_before = hidden\n\n\n{wrapped}" in found
    assert found.endswith(PLACED + "    ]\n")


def test_wrapped_function_takes_another_case_in_place():
    text = "import torch\n\n\ndef visible():\n    return made()\n"

    twice = with_case(with_case(text, OFFER, into="visible"), OFFER, into="visible")

    assert twice.count("_visible_before = visible") == 1
    assert twice.count('"name": "far') == 2


def test_strings_of_several_lines_hide_their_brackets():
    remark = '"""Makes [ and " and ] too."""'
    text = f"import torch\n\n\ndef visible():\n    {remark}\n    return [{{'name': 'it\\'s ]'}}]\n"

    assert with_case(text, OFFER, into="visible").endswith(PLACED + "    ]\n")
