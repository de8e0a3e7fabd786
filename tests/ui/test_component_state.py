"""The Python side of the browser components: what is sent, what is heard, who was last."""

import logging

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.ui.components.painter import Memory, agree, as_points
from nestviz.ui.player.player import PARTS, sweep_player
from nestviz.ui.player.protocol import decode, read_header

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
    import numpy as np

    from nestviz.ui.components.painter import point_painter
    from nestviz.ui.player.player import sweep_player
    from nestviz.ui.player.protocol import Panel, SweepData

    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    panel = Panel("squares", square, np.zeros(4, dtype=int), [(square,), (square / 2,)])
    words = ("low", "high")
    sweep = SweepData(
        (panel,), (0.1, 0.2), words, words, "level", (-1, 2, -1, 2), "Squares", start=1
    )
    state = sweep_player(sweep, key="sweep", height=300, show=("speed",), report=False)
    drawn = point_painter([(0.5, 0.5, -1)], key="paint")
    import streamlit as st

    st.text(f"{state.frame} {state.level} {drawn}")


def test_both_components_on_a_page(caplog) -> None:
    with caplog.at_level(logging.WARNING):
        app = AppTest.from_function(page).run()
        app.run()
    assert not app.exception
    assert app.text[0].value == "1 0.2 ((0.5, 0.5, -1),)"
    assert "already registered" not in caplog.text
    payload = app.get("bidi_component")[0].proto.bytes
    assert read_header(payload)["player"] == {
        "id": "sweep",
        "height": 300,
        "show": ["speed"],
        "report": False,
    }
    assert decode(payload).labels == ("low", "high")


def test_unknown_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown: clock"):
        sweep_player(None, key="sweep", show=(*PARTS, "clock"))
