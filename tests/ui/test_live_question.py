"""The decoder of the player's questions."""

import json

import pytest
from live_client import asking

from nestviz.ui.live.question import MAX_KNOBS, MAX_POINTS, RefusalError, read_question


def refused(body):
    with pytest.raises(RefusalError) as caught:
        read_question(body if isinstance(body, bytes) else json.dumps(body).encode())
    return caught.value.status, caught.value.sentence


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 50_000, b"1" * 10_000],
    ids=["empty", "cut", "no text", "deep list", "deep object", "long number"],
)
def test_what_is_not_json(body):
    assert refused(body) == (400, "The question is not valid JSON.")


@pytest.mark.parametrize(
    "body", [[], None, "text", {}, {"token": "t", "player": "p"}, asking() | {"more": 1}]
)
def test_other_keys(body):
    assert refused(body)[1].startswith("A question has a token, a player and knobs")


@pytest.mark.parametrize("name", ["", 1, None, ["t"], "x" * 201])
def test_names(name):
    expected = 400, "Token and player are texts of 1 to 200 characters."
    assert refused(asking() | {"token": name}) == expected
    assert refused(asking() | {"player": name}) == expected


NUMBERS = ["1", None, True, [1], float("nan"), float("inf"), 10**400]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_finite(number):
    assert refused(asking(knobs={"sigma": number}))[1].startswith("Knobs are at most 8 finite")
    assert refused(asking(points=[[0, number]])) == (400, "Points are pairs of finite numbers.")


@pytest.mark.parametrize("name", ["", "Sigma", "a b", "σ", "x" * 21, "a\n"])
def test_names_of_knobs(name):
    assert refused(asking(knobs={name: 1}))[1].endswith("names of 1 to 20 lowercase letters.")


def test_number_of_knobs():
    knobs = dict.fromkeys("abcdefghi", 1)
    assert refused(asking(knobs=knobs))[0] == 400
    knobs.popitem()
    assert len(read_question(json.dumps(asking(knobs=knobs)).encode()).knobs) == MAX_KNOBS


@pytest.mark.parametrize("points", ["ab", {}, [1, 2], [[1]], [[1, 2, 3]], [{"x": 1}]])
def test_points_are_pairs(points):
    assert refused(asking(points=points))[1] == "Points are pairs of finite numbers."


def test_number_of_points():
    points = [[0.25, -0.5]] * MAX_POINTS
    assert read_question(json.dumps(asking(points=points)).encode()).points.shape == (2000, 2)
    status, sentence = refused(asking(points=[*points, [0, 0]]))
    assert (status, sentence[:20]) == (413, "At most 2,000 points")


@pytest.mark.parametrize("classes", [[1], [1, 2, 3], [1, 0.5], [1, True], [1, 10**9], "ab"])
def test_classes_belong_to_points(classes):
    expected = 400, "Classes are whole numbers, one for each point."
    assert refused(asking(points=[[0, 0], [1, 1]], classes=classes)) == expected
    assert refused(asking(classes=[1])) == expected
