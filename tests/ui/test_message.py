"""The message of a scene: what goes in comes out."""

import json
import runpy
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scene_samples import STOPS, make_panel, make_points, make_scene

from nestviz.data import Annotations, Dataset
from nestviz.scan_results import Intervals
from nestviz.ui.scene.arrays import ArrayTable
from nestviz.ui.scene.lattices import Truth
from nestviz.ui.scene.message import encode_scene, read_header
from nestviz.ui.scene.point_names import point_names
from nestviz.ui.scene.scene import Knob

KNOB = Knob("width", "Width σ", 0.4, 0.05, 2.0, log=True, unit=1.5, marks=((1.0, "median"),))


def arrays_of(payload: bytes) -> list[np.ndarray]:
    """The arrays of a message, in the order of its table."""
    start = 4 + int.from_bytes(payload[:4], "little")
    body = start + -start % 8
    return [
        np.frombuffer(payload, row["dtype"], row["length"], body + row["offset"])
        for row in read_header(payload)["arrays"]
    ]


def test_everything_said_about_a_scene_is_in_the_header():
    scene = make_scene(
        knobs=[KNOB], notes=[f"ν = {k}; " for k in range(STOPS)], live={"url": "/live"}, ghosts=3,
        start=2.25, by_class=True, stepwise=True, axis_names=("α", "β"), flag_name="hollow",
    )  # fmt: skip
    header = read_header(encode_scene(scene, {"id": "ünïcode"}))
    plain = (
        "alt", "set_name", "overlay_name", "flag_name", "start", "autoplay", "loop", "ghosts",
        "stops_per_second", "stepwise", "by_class", "live",
    )  # fmt: skip
    assert {name: header[name] for name in plain} == {name: getattr(scene, name) for name in plain}
    for name in ("view", "axis_names", "class_names", "shown", "captions", "notes"):
        assert header[name] == list(getattr(scene, name)), name
    assert header["player"] == {"id": "ünïcode"}
    assert header["knobs"] == json.loads(json.dumps([asdict(KNOB)]))
    assert header["truth"] is None
    assert [panel["title"] for panel in header["panels"]] == ["Panel 0", "Panel 1"]
    assert header["scale"]["name"] == "level λ"
    assert header["scale"]["form"] == "3g"


def test_numbers_are_sent_to_their_last_bit():
    hollow = np.arange(40) % 3 == 0
    scene = make_scene(panels=1)
    scene = replace(scene, panels=[replace(scene.panels[0], hollow=hollow)])
    payload = encode_scene(scene)
    header, arrays = read_header(payload), arrays_of(payload)
    panel, sent = scene.panels[0], header["panels"][0]
    assert np.array_equal(arrays[header["scale"]["levels"]], scene.scale.levels)
    assert np.array_equal(arrays[header["scale"]["numbers"]], scene.scale.numbers)
    assert np.array_equal(arrays[sent["points"]].reshape(-1, 2), panel.points)
    assert np.array_equal(arrays[sent["classes"]], panel.classes)
    assert np.array_equal(arrays[sent["hollow"]], hollow)
    assert sent["inside"] is sent["size_scale"] is None
    family = sent["family"]
    assert np.array_equal(arrays[family["levels"]], panel.family.levels)
    assert np.array_equal(arrays[family["offsets"]], panel.family.offsets)
    centres = arrays[family["kernel"]["centres"]].reshape(-1, 2)
    assert np.array_equal(centres, panel.family.centres)
    assert family["orientation"] == -1


def test_names_of_points_are_sent_where_there_are_any():
    scene = make_scene()
    assert "point_names" not in read_header(encode_scene(scene))
    n = len(scene.panels[0].points)
    names = [f"row {k}" for k in range(n)]
    named = replace(scene, point_names=names)
    assert read_header(encode_scene(named))["point_names"] == names
    with pytest.raises(ValueError, match=f"{n} points need {n} names, not 1"):
        replace(scene, point_names=["one"])


def test_points_of_a_file_have_its_rows_and_identifiers():
    X = np.arange(6.0).reshape(3, 2)
    data = Dataset(X, annotations=annotations_of_a_file())
    assert point_names(data) == ("row 2, E-7", "row 4, E\ufffd8", f"row 5, {'x' * 72}…")
    assert point_names(Dataset(X)) == ()


def annotations_of_a_file():
    ids = np.array(["E-7", "E\u202e8", "x" * 500], dtype=object)
    return Annotations(rows=np.array([2, 4, 5]), columns={"id": ids}, ids=("id",))


def test_layout_of_the_message():
    payload = encode_scene(make_scene(), {"id": "a", "height": 300})
    length = int.from_bytes(payload[:4], "little")
    assert json.loads(payload[4 : 4 + length]) == read_header(payload)
    body = 4 + length + -(4 + length) % 8
    table = read_header(payload)["arrays"]
    ends = [row["offset"] + row["length"] * np.dtype(row["dtype"]).itemsize for row in table]
    assert all(row["offset"] % 8 == 0 for row in table)
    assert [row["offset"] for row in table] == [0, *(end + -end % 8 for end in ends[:-1])]
    assert len(payload) == body + ends[-1] + -ends[-1] % 8


def test_same_scene_same_bytes():
    assert encode_scene(make_scene()) == encode_scene(make_scene())
    assert encode_scene(make_scene()) != encode_scene(make_scene(start=3.0))


def test_equal_arrays_are_sent_once():
    panel = make_panel(n=400)
    twin = replace(panel, title="right")
    other = make_panel(n=400, seed=1, family=panel.family)
    alone, pair, apart = (
        encode_scene(make_scene(panels=panels, class_names=["a", "b"]))
        for panels in ([panel], [panel, twin], [panel, other])
    )  # fmt: skip
    assert len(arrays_of(alone)) == len(arrays_of(pair))
    assert len(pair) - len(alone) < 1_500
    assert len(apart) - len(pair) >= 400 * 16


def test_numbers_of_two_types_are_two_arrays():
    table = ArrayTable()
    assert [table.add([0, 0], kind) for kind in ("uint8", "int32", "uint8")] == [0, 1, 0]
    assert table.size == 16


def test_intervals_of_each_point():
    found = Intervals(
        np.array([0, 1, 1, 3]), np.array([0.1, -np.inf, 0.6]), np.array([np.inf, 0.4, 0.8])
    )
    panel = make_panel(n=3, intervals=found)
    payload = encode_scene(make_scene(panels=[panel]))
    arrays, sent = arrays_of(payload), read_header(payload)["panels"][0]["intervals"]
    assert arrays[sent["starts"]].tolist() == [0, 1, 1, 3]
    # JSON and typed arrays have infinities of different kinds; the ends of all axes lie between.
    assert arrays[sent["lower"]].tolist() == [0.1, -1e300, 0.6]
    assert arrays[sent["upper"]].tolist() == [1e300, 0.4, 0.8]


@pytest.mark.parametrize("n", [1, 7, 40])
def test_membership_is_packed_into_bits(n):
    inside = np.random.default_rng(n).random((STOPS, n)) < 0.5
    panel = make_panel(n=n, intervals=None, inside=inside)
    payload = encode_scene(make_scene(panels=[panel]))
    packed = arrays_of(payload)[read_header(payload)["panels"][0]["inside"]]
    assert packed.size == -(-STOPS * n // 8)
    assert np.array_equal(np.unpackbits(packed, count=inside.size).reshape(inside.shape), inside)


def test_a_known_density():
    across, along = np.linspace(-2, 2, 5), np.linspace(-1, 1, 3)
    truth = Truth(across, along, np.arange(15.0).reshape(3, 5), 0.25)
    payload = encode_scene(make_scene(truth=truth))
    sent = read_header(payload)["truth"]
    assert arrays_of(payload)[sent.pop("values")].tolist() == list(range(15))
    assert sent == {
        "u0": -2, "v0": -1, "du": 1, "dv": 1, "columns": 5, "rows": 3, "factor": 0.25,
    }  # fmt: skip


def test_a_path_is_shorter_while_a_slider_moves():
    from nestviz.estimators import OneClassPath

    X = make_points(400)
    panel = make_panel(n=400, family=OneClassPath(0.5).fit(X).family_, intervals=None)
    scene = make_scene(panels=[panel])
    dragged, exact = (encode_scene(scene, detail=detail) for detail in ("knots", "exact"))
    assert len(dragged) < len(exact)
    forms = [read_header(payload)["panels"][0]["family"] for payload in (dragged, exact)]
    assert [form["exact"] for form in forms] == [False, True]


def test_another_version_is_refused():
    payload = encode_scene(make_scene()).replace(b'"version": 2', b'"version": 9')
    with pytest.raises(ValueError, match="version 9"):
        read_header(payload)


def test_what_is_neither_text_nor_number_is_refused():
    with pytest.raises(TypeError, match="cannot contain a set"):
        encode_scene(make_scene(), {"id": {1, 2}})


def test_the_message_for_the_test_of_the_browsers_decoder_is_up_to_date():
    source = Path(__file__).parents[1] / "js" / "scene_fixture.py"
    fixture = SimpleNamespace(**runpy.run_path(str(source)))
    how = "Run: python tests/js/scene_fixture.py"
    assert fixture.MESSAGE.read_bytes() == encode_scene(fixture.build(), fixture.PLAYER), how
    assert fixture.EXPECTED.read_text("utf-8") == fixture.expected(), how
