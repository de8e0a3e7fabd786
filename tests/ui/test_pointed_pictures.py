"""What the plane and the tree send to the browser."""

import json

import numpy as np
import pytest

from nestviz.palette import cluster_shape
from nestviz.ui.components.branches import VERTICES, Branch, BranchesData
from nestviz.ui.components.branches import encode as encode_tree
from nestviz.ui.components.plane import STEPS, Area, Kind, PlaneData, Thread, encode, location_of

VIEW = (-1.0, 3.0, 10.0, 20.0)
POINTS = np.array([[-1.0, 10.0], [3.0, 20.0], [1.0, 12.5]])
KINDS = [Kind("outside", -1, "cross"), Kind("cluster 0", 0, "circle")]


def content(**more):
    given = {"kind_of": np.array([0, 1, 1]), "name": "n", "alt": "a"} | more
    return PlaneData(POINTS, VIEW, KINDS, **given)


def test_coordinates_travel_as_steps_across_the_view():
    message = encode(content(spot=(1.0, 15.0)))
    assert message["points"] == [0, 0, STEPS, STEPS, STEPS // 2, STEPS // 4]
    assert message["spot"] == [STEPS // 2, STEPS // 2]
    assert location_of(message["spot"], VIEW) == (1.0, 15.0)


def test_a_message_is_plain_json_and_always_the_same():
    given = content(
        areas=[Area([POINTS], 1, dashed=True)],
        threads=[Thread(POINTS[0], POINTS[1], 0.5, pushes=True)],
        labels=[(np.int64(1), "7")],
        chosen=np.array([2]),
        shades=np.array([0.0, 0.5, 1.0]),
        notes=["a", "b", "c"],
    )
    assert json.dumps(encode(given)) == json.dumps(encode(given))
    assert encode(given)["chosen"] == [2]


@pytest.mark.parametrize("wrong", [{"kind_of": np.zeros(2)}, {"notes": ["a"]}])
def test_parts_that_do_not_fit_are_refused(wrong):
    with pytest.raises(ValueError, match="3 points need 3"):
        content(**wrong)


def test_long_outlines_are_thinned_but_keep_their_corners_and_symmetry():
    n = 5000
    up = np.repeat(np.linspace(0, 1, n), 2)
    half = np.repeat(np.arange(n, 0, -1) / n / 2, 2)
    side = np.column_stack([0.5 - half, up])
    outline = np.concatenate([side, np.column_stack([0.5 + half, up])[::-1], side[:1]])
    tree = BranchesData(
        [Branch(outline, 0.5, 0, "0", "text")], (0.0, 1.0), "level", [(0.0, 1.0, 1)], 0.3, "n", "a"
    )
    (node,) = encode_tree(tree)["nodes"]
    drawn = np.array(node["outline"]).reshape(-1, 2)
    assert len(drawn) <= VERTICES + 1
    assert (node["bottom"], node["top"]) == (0.0, 1.0)
    assert drawn[0].tolist() == drawn[-1].tolist() == [0.0, 0.0]
    assert drawn[-2].tolist() == [1.0, 0.0]
    assert np.allclose(drawn[:-1, 0] + drawn[-2::-1, 0], 1.0, atol=1e-4)


def test_pairs_of_colour_and_shape_repeat_late():
    pairs = {(k % 7, cluster_shape(k)) for k in range(49)}
    assert len(pairs) == 49
