"""Tensors drawn on the server: colours, slices, axes, differences."""

import math

import pytest

from exercises.learn.axes import axes_in, axis_names
from exercises.learn.pictures import picture_of, sketch_of
from exercises.learn.planes import cell_text
from exercises.learn.scales import scale_of_differences, scale_of_values
from exercises.learn.shown import Labels, inputs_of, outputs_of
from exercises.learn.slices import extent, matrix_of

NOTE = '"""query, key: (..., n, d)   value: (m, 3)   returns: (batch, n, d / heads)"""'
LABELS = Labels(names=("x",), axes={"x": ("...", "n", "d"), "returns": ("...", "n", "v")})


def tensor(values, dtype="float32"):
    return {"dtype": dtype, "shape": list(extent(values)), "values": values}


def drawn(values, **fields):
    return picture_of(sketch_of("x", "float32", values, **fields))


def compared(expected, actual, *, stage="values", **told):
    told = {"path": "", "worst": None, "map": None, **told}
    known = {"expected": tensor(expected), "actual": tensor(actual)}
    return outputs_of(known, told, labels=LABELS, stage=stage, summary="They differ.")


def looks(plane):
    return {shape.look for shape in plane.shapes} - {"grid", "arrow"}


@pytest.mark.parametrize(
    ("value", "step"), [(0.0, 0), (1.0, 16), (0.5, 8), (-3.0, 0), (9.0, 16), (0.0588, 0), (0.0589, 1)]
)
def test_values_get_one_of_17_colours(value, step):
    assert scale_of_values([0.0, 1.0, math.nan, math.inf]).step(value) == step


@pytest.mark.parametrize(("value", "step"), [(-2.0, 0), (0.0, 8), (0.05, 8), (2.0, 16), (-0.5, 6), (5.0, 16)])
def test_differences_are_white_at_zero_and_alike_on_both_sides(value, step):
    assert scale_of_differences(2.0).step(value) == step


def test_scale_of_one_number_alone_is_its_middle():
    assert scale_of_values([7.0, 7.0]).step(7.0) == 8
    assert scale_of_values([-1.7e308, 1.7e308]).step(0.0) == 8


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "T"),
        (False, "F"),
        (-0.00520312, "-0.0052"),
        (0.123456, "0.1235"),
        (0.5, "0.5"),
        (0.99999, "1"),
        (1.23456, "1.235"),
        (1e-05, "1e-5"),
        (1.5e20, "1.5e+20"),
        (12345, "12345"),
        (math.nan, "NaN"),
        ("nan", "NaN"),
        (None, "NaN"),
        ("-inf", "-inf"),
    ],
)
def test_numbers_in_cells_are_short(value, text):
    assert cell_text(value) == text


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (3.0, ()),
        ([], (0,)),
        ([[1, 2, 3], [4, 5, 6]], (2, 3)),
        ([[1], [2, 3]], None),
        ([[1], 2], None),
        (["(1+2j)"], None),
        (["nan", None, True], (3,)),
    ],
)
def test_only_numbers_in_regular_lists_can_be_drawn(values, shape):
    assert extent(values) == shape


def test_matrix_with_room_has_its_values_in_the_cells():
    [plane] = drawn([[0.0, 1.0], [0.25, "nan"]]).planes

    assert [text.text for text in plane.texts] == ["0", "1", "0.25", "NaN"]
    assert [text.look for text in plane.texts] == ["on-dark", "on-light", "on-dark", "over"]
    assert looks(plane) == {"v0", "v16", "v4", "unknown", "hatch"}
    assert plane.table.rows == [("0", ["0", "1"]), ("1", ["0.25", "NaN"])]


def test_matrix_without_room_has_a_ramp_instead():
    picture = drawn([[float(row - column) for column in range(32)] for row in range(32)])

    [plane] = picture.planes
    assert plane.texts == []
    assert plane.cell_width == plane.cell_height == 10
    assert (picture.ramp.low, picture.ramp.high) == ("-31", "31")
    assert [tick.text for tick in plane.ticks if tick.look == "middle"][:3] == ["0", "2", "4"]


def test_matrix_of_more_than_64_columns_is_pooled_and_says_so():
    rows = [[0.0] * 100]
    rows[0][99], rows[0][50] = -7.0, math.nan

    matrix, picture = matrix_of(rows), drawn(rows)

    assert len(matrix.column_starts) == 64
    assert matrix.rows[0][-1] == -7.0
    assert sum(math.isnan(value) for value in matrix.rows[0]) == 1
    assert picture.notes == ("Pooled: each cell shows the largest magnitude of several elements.",)


def test_vector_stands_as_bars_on_zero():
    [plane] = drawn([2.0, -1.0, "nan"]).planes

    assert looks(plane) == {"bar-shape", "line", "unknown", "hatch"}
    assert [text.text for text in plane.texts] == ["2", "-1", "NaN"]
    assert plane.table.rows == [("", ["2", "-1", "NaN"])]
    assert [tick.text for tick in plane.ticks if tick.look == "end"] == ["0", "2", "-1"]


def test_mask_is_two_colours_and_spoken_as_a_count():
    picture = drawn([[True, False], [True, True]])

    assert looks(picture.planes[0]) == {"v0", "v16"}
    assert picture.spoken == "x: float32, 3 of 4 are True"
    assert looks(drawn([True, False]).planes[0]) == {"v0", "v16"}


def test_number_without_dimensions_is_written():
    picture = drawn(0.125)

    assert (picture.number, picture.planes) == ("0.125", [])
    assert drawn("nan").number == "NaN"


@pytest.mark.parametrize("values", [[], [[], []]])
def test_nothing_to_draw_of_empty_tensors(values):
    assert sketch_of("x", "float32", values) is None


def test_slices_are_named_and_the_first_ones_shown_without_a_script():
    values = [[[[1.0]], [[2.0]], [[3.0]]], [[[4.0]], [[5.0]], [[6.0]]]]
    picture = drawn(values, axes=("batch", "", "n", "d"), worst=(1, 2, 0, 0))

    assert (picture.sizes, picture.names, picture.start) == ("2,3", "batch,", "1,2")
    assert [plane.key for plane in picture.planes if plane.is_first] == ["0,0", "0,1", "0,2", "1,2"]
    assert [plane.index for plane in picture.planes if plane.outline] == ["[1, 2, :, :]"]
    assert picture.more_slices == "and 2 more slices"


def test_no_more_than_64_slices_are_drawn():
    picture = drawn([[[1.0]]] * 100)

    assert len(picture.planes) == 64
    assert "The first 64 slices." in picture.notes


def test_axes_are_read_from_the_notes_of_the_starting_code():
    axes = axes_in(NOTE)

    assert axis_names(axes, "query", 4) == ("", "", "n", "d")
    assert axis_names(axes, "key", 2) == ("n", "d")
    assert axis_names(axes, "value", 2) == ("m", "")
    assert axis_names(axes, "value", 3) == ("", "", "")
    assert axis_names(axes, "returns", 3) == ("batch", "n", "d / heads")
    assert axis_names(axes, "query", 1) == ("",)
    assert axis_names(axes, "scale", 2) == ("", "")


def test_axes_stand_at_the_picture():
    [value] = inputs_of({"args": [tensor([[1.0, 2.0]])], "kwargs": {}}, LABELS)

    assert [tick.text for tick in value.picture.planes[0].ticks if tick.look == "axis"] == ["n", "d"]


def test_expected_and_got_share_colours_and_sizes():
    [output] = compared([[0.0, 1.0]], [[0.0, 12.345]])

    expected, actual = (value.picture.planes[0] for value in output.values)
    assert "v16" not in looks(expected)
    assert "v16" in looks(actual)
    assert expected.cell_width == actual.cell_width == output.difference.planes[0].cell_width


def test_difference_has_symmetric_limits_its_worst_cell_and_the_sentence():
    [output] = compared([[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.5], [3.0, 6.0]], worst={"index": [1, 1]})

    picture = output.difference
    assert (picture.ramp.low, picture.ramp.high) == ("-2", "2")
    assert picture.planes[0].table.rows == [("0", ["0", "-0.5"]), ("1", ["0", "2"])]
    assert looks(picture.planes[0]) == {"w6", "w8", "w16"}
    assert picture.planes[0].outline is not None
    assert picture.spoken == "They differ. Picture of got minus expected, from −2 to 2."
    assert picture.notes == ("Blue: less than expected. Orange: more.",)


def test_difference_that_is_no_number_is_hatched_and_equal_infinities_do_not_differ():
    [output] = compared([["inf", 1.0, "nan"]], [["inf", "nan", "nan"]], stage="nan")

    picture = output.difference
    assert picture.planes[0].table.rows == [("0", ["0", "NaN", "0"])]
    assert picture.ramp is None
    assert picture.notes == ("Hatched: the difference is no number.",)


def test_masks_differ_in_words_of_their_own():
    [output] = compared([[True, False]], [[False, False]])

    assert output.difference.notes == ("Orange: True instead of False. Blue: False instead of True.",)
    assert output.difference.planes[0].table.rows == [("0", ["-1", "0"])]


@pytest.mark.parametrize("stage", ["shape", "structure", "", "exception"])
def test_values_that_were_not_compared_have_no_difference(stage):
    [output] = compared([[1.0, 2.0]], [[1.0], [2.0]], stage=stage)

    assert output.difference is None
    assert len(output.values) == 2


def test_single_numbers_have_no_difference_picture():
    [output] = compared(1.0, 2.0)

    assert (output.difference, [value.picture.number for value in output.values]) == (None, ["1", "2"])


def test_several_outputs_stand_in_pairs_and_the_wrong_one_has_the_difference():
    known = {"expected": {"mean": tensor([1.0]), "all": [tensor([2.0]), 3]}}
    known["actual"] = {"mean": tensor([1.0]), "all": [tensor([5.0]), 3]}

    outputs = outputs_of(known, {"path": '["all"][0]', "worst": {"index": [0]}}, labels=LABELS, stage="values")

    assert [[value.label for value in output.values] for output in outputs] == [
        ['Expected["mean"] · float32 [1]', 'Got["mean"] · float32 [1]'],
        ['Expected["all"][0] · float32 [1]', 'Got["all"][0] · float32 [1]'],
        ['Expected["all"][1]', 'Got["all"][1]'],
    ]
    assert [output.difference and output.difference.name for output in outputs] == [
        None,
        'Got − expected ["all"][0]',
        None,
    ]


def test_map_of_the_graders_is_drawn_where_values_are_too_many():
    large = {"dtype": "float32", "shape": [3, 40, 2], "values": None}
    cells = [[float(row), None] for row in range(32)]
    told = {
        "path": "",
        "expected_shape": [3, 40, 2],
        "worst": {"index": [1, 39, 0]},
        "map": {"leading": [1], "shape": [40, 2], "cells": cells, "limit": 31.0},
    }

    [output] = outputs_of({"expected": large, "actual": large}, told, labels=LABELS, stage="values")

    picture = output.difference
    assert picture.name == "Got − expected [1]"
    assert picture.planes[0].table.rows[-1] == ("38", ["31", "NaN"])
    assert picture.notes[-1].startswith("Pooled from 40 × 2")
    assert picture.planes[0].outline.y > picture.planes[0].height - 30


def test_gradient_is_drawn_with_the_axes_of_its_argument():
    told = {
        "path": "",
        "argument": "x",
        "expected_shape": [1, 2],
        "worst": {"index": [0, 1]},
        "map": {"leading": [], "shape": [1, 2], "cells": [[0.0, 1.0]], "limit": 1.0},
    }

    [first, second] = outputs_of({"expected": tensor([[1.0, 1.0]])}, told, labels=LABELS, stage="gradients")

    assert first.difference is None
    assert [tick.text for tick in second.difference.planes[0].ticks if tick.look == "axis"] == ["n", "d"]
