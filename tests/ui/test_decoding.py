"""Values from outside: whatever comes, a value of its type or None; nothing is raised."""

import json
import math
import random

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.ui import decoding
from nestviz.ui.components.handles import RELEASED as HANDLES
from nestviz.ui.components.knob import RELEASED
from nestviz.ui.components.painter import MAX_POINTS, Memory, agree, as_point, drawing
from nestviz.ui.components.reports import rows_of
from nestviz.ui.decoding import choice, name, number, number_of, record, several, text, whole
from nestviz.ui.live.question import RefusalError, read_question
from nestviz.ui.player import last_state, player

DEEP = json.loads("[" * 900 + "]" * 900)
HOSTILE = [
    None, True, False, 0, -1, 1, 7, 10**30, -(10**400), 10**4_000, 0.5, -0.0, math.nan, math.inf,
    -math.inf, 1e308, "", " ", "7", "x" * 100_000, "\ud800", "a\x00b", "٣", "<b>", [], [[]], {},
    DEEP, {"a": DEEP}, {"__class__": "x"}, {"value": 1}, {"points": [], "classes": []}, [1, 2],
    [0.5, math.nan], list(range(3)), {"rows": [0]}, {1: 2}, b"x", ("a",), object(),
]  # fmt: skip
DECODERS = {
    "number": number(), "any number": number(-math.inf, math.inf), "whole": whole(0, 9),
    "text": text(20), "name": name(20), "choice": choice("a", "b"), "rows": rows_of(3),
    "several": several(several(number(), 2), 5), "record": record({"a": number()}),
    "knob": RELEASED, "handles": HANDLES, "point": as_point, "drawing": drawing(),
    "position": last_state.POSITION,
    "row": player.ROW, "player rows": player.ROWS, "shown": last_state.SHOWN,
    "edit": player.edited_points, "knobs": player.knob_values, "pin": last_state.pinned_location,
    "story": player.story_report,
}  # fmt: skip


def tree(rng, depth=3):
    """A random value as JSON may have it."""
    kind = rng.randrange(4 if depth else 2)
    if kind < 2:
        return rng.choice(HOSTILE)
    many = [tree(rng, depth - 1) for _ in range(rng.randrange(4))]
    if kind == 2:
        return many
    names = ["base", "turn", "points", "classes", "value", "a", "time", "rows", "\ud800"]
    return {rng.choice(names): one for one in many}


@pytest.mark.parametrize("decode", DECODERS.values(), ids=DECODERS)
def test_whatever_comes_is_decoded_or_nothing(decode):
    rng = random.Random(0)
    found = [decode(value) for value in HOSTILE]
    found += [decode(tree(rng)) for _ in range(300)]
    found += [decode([tree(rng, 1) for _ in range(2)]) for _ in range(100)]
    for value in found:
        # It can be written, and has no number that is none.
        json.dumps(value, allow_nan=False).encode()
        json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.nightly
@pytest.mark.parametrize("decode", DECODERS.values(), ids=DECODERS)
def test_many_trees_are_decoded_or_nothing(decode):
    rng = random.Random(1)
    for _ in range(20_000):
        json.dumps(decode(tree(rng, 5)), ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("value", [True, False, math.nan, math.inf, 10**400, "1", None, 2.5])
def test_what_is_no_whole_number(value):
    assert whole(0, 10**500)(value) in (None, 10**400)
    assert number(0, 2)(value) is None


def test_long_lists_are_refused_before_they_are_read():
    def never(value):
        pytest.fail("was read")

    assert several(never, 10)([0] * 10_000_000) is None
    assert drawing()({"base": "", "turn": 1, "points": [[0, 0, 1]] * (MAX_POINTS + 1)}) is None


def test_texts_hold_whole_characters():
    assert text(5)("ab\tλ\n") == "ab\tλ\n"
    assert text(5)("\ud83d") is None
    assert text(5)("a\x1b") is None
    assert text(5, controls=True)("a\x1b") == "a\x1b"
    assert name(5)("ab\ud800cdefg") == "ab\ufffdcd"


@pytest.mark.parametrize(
    "written",
    ["", " ", "1 ", "0x10", "1_000", "٣", "１２", "nan", "inf", "1e", "--1", ".", "1,5", "9" * 400],
)
def test_texts_that_write_no_number(written):
    assert number_of(written) is None


@pytest.mark.parametrize(("written", "value"), [("-0", 0), ("+1.", 1), (".5e1", 5), ("007", 7)])
def test_texts_that_write_a_number(written, value):
    assert number_of(written) == value
    assert math.isinf(number_of("1e400"))


@pytest.mark.parametrize(
    "content",
    [b'{"a": 1, "a": 2}', b"NaN", b"[-Infinity]", b"[" * 10_000, b"1" * 5_000, b"\xff\xfe1\x00",
     '"x"'.encode("utf-16"), b"\xef\xbb\xbf1"],
)  # fmt: skip
def test_json_that_is_refused(content):
    with pytest.raises(ValueError):  # noqa: PT011
        decoding.parse_json(content)


def test_a_drawing_that_is_none_changes_nothing():
    first = Memory((), (), ())
    for value in HOSTILE:
        found = drawing()({"base": first.name, "turn": 1, "points": [value]})
        assert agree(first, (), found) == first


def page() -> None:
    import numpy as np
    import streamlit as st
    from scene_samples import make_scene

    from nestviz.ui.components.branches import Branch, BranchesData, branches
    from nestviz.ui.components.knob import knob
    from nestviz.ui.components.painter import point_painter
    from nestviz.ui.components.plane import Kind, PlaneData, plane
    from nestviz.ui.components.tab_store import keep_in_tab, offer_from_tab
    from nestviz.ui.player.player import Reports, scene_player

    said = st.session_state.setdefault("said", [])

    def say(*values):
        said.append(values)

    scene = st.session_state.setdefault("scene", make_scene(start=1.5))
    state = scene_player(scene, key="sweep", reports=Reports(say, say, say))
    drawn = point_painter([(0.5, 0.5, -1)], key="paint")
    knob("knob", 0.5, label="a", low=0.0, high=1.0, on_release=say)
    outline = np.array([[0.0, 0.0], [1.0, 1.0]])
    tree = BranchesData([Branch(outline, 0.5, 0, "", "")], (0.0, 1.0), "level", [], 0.5, "", "")
    branches(tree, key="tree", on_branch=say, on_cut=say)
    content = PlaneData(np.zeros((3, 2)), (-1, 1, -1, 1), [Kind("", 0, "circle")], np.zeros(3, int),
                        "", "")  # fmt: skip
    plane(content, key="plane", on_rows=say, on_place=say)
    keep_in_tab("a", "b", lambda: "c")
    offer_from_tab(say)
    st.text(repr((state.position, state.level, state.shown, state.probe, drawn)))


REPORTS = (
    "frame", "view", "probe", "point", "points", "knobs", "edited", "drawing", "knob", "node",
    "cut", "rows", "place", "seen", "given",
)  # fmt: skip


def test_a_page_survives_whatever_its_components_report():
    rng = random.Random(2)
    app = AppTest.from_function(page, default_timeout=600).run()
    before = app.text[0].value
    for _ in range(12):
        states = app._tree.get_widget_states()
        for component in app.get("bidi_component"):
            report = states.widgets.add()
            report.id = component.proto.id
            sent = {name: one for name in REPORTS if is_json(one := tree(rng))}
            report.json_value = json.dumps(sent)
        app._run(states)
        assert not app.exception, [one.value for one in app.exception]
    # Sound values may be among them, but of the right kind only.
    assert type(eval(before)) is type(eval(app.text[0].value))
    json.dumps(app.session_state["said"], allow_nan=False, ensure_ascii=False).encode()


def is_json(value):
    try:
        json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_any_question_is_answered_or_refused(seed):
    rng = random.Random(seed)
    keys = ["token", "player", "knobs", "points", "classes", "panels"]
    for _ in range(100):
        sent = {
            key: one for key in rng.sample(keys, rng.randrange(3, 7)) if is_json(one := tree(rng))
        }
        sent |= {"token": "a", "player": "b"} if rng.random() < 0.7 else {}
        body = json.dumps(sent).encode()
        try:
            found = read_question(body)
        except RefusalError as refusal:
            said = refusal.sentence
        else:
            said = f"{found.knobs}."
            assert all(map(math.isfinite, found.knobs.values()))
        assert said.endswith(".")
