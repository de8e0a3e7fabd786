"""The Python side of the browser components: what is sent, what is heard, who was last."""

import json
import logging

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.ui.components.painter import Memory, agree, as_points
from nestviz.ui.player.player import PARTS, scene_player
from nestviz.ui.scene.message import read_header

A = ((0.0, 0.0, 1),)
B = ((0.0, 0.0, 1), (1.0, 0.5, -1))
C = ((2.0, 2.0, -1),)


def report(memory: Memory, points, turn: int) -> dict:
    return {"base": memory.name, "turn": turn, "points": [list(point) for point in points]}


def test_a_stroke_is_taken_over_and_then_kept() -> None:
    first = Memory(A, A, A)
    drawn = agree(first, A, report(first, B, 1))
    assert drawn.current == B
    assert drawn.name == first.name  # nothing new is sent to the browser
    kept = agree(drawn, B, report(first, B, 1))
    assert kept.current == B
    assert kept.name == first.name


def test_a_change_by_the_page_wins_over_an_old_stroke() -> None:
    first = Memory(A, A, A)
    drawn = agree(first, A, report(first, B, 1))
    changed = agree(drawn, C, report(first, B, 1))
    assert changed.current == changed.base == C
    assert changed.name != first.name
    # The stroke that was on its way belongs to points that are no more.
    later = agree(changed, C, report(first, B, 2))
    assert later.current == C
    assert later.name == changed.name


def test_the_page_may_go_back_to_what_it_passed_before() -> None:
    first = Memory(A, A, A)
    drawn = agree(first, A, report(first, B, 1))
    back = agree(drawn, A, report(first, B, 1))
    assert back.current == A
    assert back.name != first.name


def test_a_run_cut_short_by_the_next_stroke_loses_nothing() -> None:
    first = Memory(A, A, A)
    drawn = agree(first, A, report(first, B, 1))
    # The page never stored B, and passes A again while the next stroke arrives.
    assert agree(drawn, A, report(first, B + C, 2)).current == B + C


def test_coming_back_to_the_page_keeps_the_drawing() -> None:
    first = Memory(A, A, A)
    drawn = agree(first, A, report(first, B, 1))
    assert agree(drawn, B, None) == agree(drawn, B, report(first, B, 1))


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ((float("nan"), 0.0, 1), "Point 1 is .* finite"),
        ((0.0, float("inf"), 1), "finite"),
        ((0.0, 0.0, 2), "Point 1 has class 2"),
    ],
)
def test_points_that_are_none(row, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        as_points([(0.0, 0.0, 1), row])


def page() -> None:
    import streamlit as st
    from scene_samples import make_scene

    from nestviz.ui.components.painter import point_painter
    from nestviz.ui.player.player import Reports, scene_player

    said = st.session_state.setdefault("said", [])
    state = scene_player(
        st.session_state.setdefault("scene", make_scene(start=1.5)),
        key="sweep",
        height=300,
        show=("speed",),
        report=False,
        marked=[3, 1],
        probe=(0.5, 0.25),
        reports=Reports(
            on_points=lambda rows: said.append(("points", list(rows))),
            on_knob=lambda key, value: said.append((key, value)),
            on_edit=lambda points, classes: said.append((points, classes)),
        ),
    )
    drawn = point_painter([(0.5, 0.5, -1)], key="paint")
    st.text(f"{state.position} {state.level:.2f} {state.probe} {drawn}")
    st.text(f"{state.shown}")


def tell(app: AppTest, **states: object) -> AppTest:
    """Report what the player would."""
    found = app._tree.get_widget_states()
    report = found.widgets.add()
    report.id = app.get("bidi_component")[0].proto.id
    report.json_value = json.dumps(states)
    return app._run(found)


def test_both_components_on_a_page(caplog) -> None:
    with caplog.at_level(logging.WARNING):
        app = AppTest.from_function(page).run()
        app.run()
    assert not app.exception
    assert app.text[0].value == "1.5 0.73 (0.5, 0.25) ((0.5, 0.5, -1),)"
    assert app.text[1].value == "('outline', 'fill', 'overlay')"
    assert "already registered" not in caplog.text
    payload = app.get("bidi_component")[0].proto.bytes
    assert read_header(payload)["player"] == {
        "id": "sweep",
        "height": 300,
        "show": ["speed"],
        "report": False,
        "editable": True,
        "probe": [0.5, 0.25],
        "story": None,
    }
    assert read_header(payload)["panels"][0]["title"] == "Panel 0"
    marks = app.get("bidi_component")[1].proto.json
    assert json.loads(marks) == {"id": "sweep", "rows": [3, 1]}


def test_what_the_player_reports_is_kept() -> None:
    app = AppTest.from_function(page).run()
    tell(app, frame=3.25, view=["hill", "fill"], probe=[1.0, -1.0])
    assert not app.exception
    assert app.text[0].value.startswith("3.25 0.41 (1.0, -1.0)")
    assert app.text[1].value == "('fill', 'hill')"
    # Streamlit forgets what a component reported while it is not on the page.
    app.run()
    assert app.text[0].value.startswith("3.25 0.41 (1.0, -1.0)")
    # An empty list takes the pin away.
    assert "None" in tell(app, frame=99, probe=[]).text[0].value
    assert app.text[0].value.startswith("5.0 0.10")


@pytest.mark.parametrize(
    ("report", "heard"),
    [
        ({"point": 7}, ("points", [7])),
        ({"points": [4, 5]}, ("points", [4, 5])),
        ({"points": []}, ("points", [])),
        ({"knobs": {"width": 0.5}}, ("width", 0.5)),
        ({"edited": {"points": [[0.0, 1.0]], "classes": [1]}}, ([[0.0, 1.0]], [1])),
    ],
)
def test_points_knobs_and_edits_reach_the_page(report, heard) -> None:
    app = tell(AppTest.from_function(page).run(), **report)
    assert not app.exception
    assert app.session_state["said"] == [heard]


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown: clock"):
        scene_player(None, key="sweep", show=(*PARTS, "clock"))
