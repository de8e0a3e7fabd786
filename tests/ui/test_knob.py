"""The slider of pages without a player: what is sent, and what a report changes."""

import json
import math

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.ui.components.knob import knob


def page() -> None:
    import streamlit as st

    from nestviz.ui.session.view import arrive, parameters, put
    from nestviz.ui.widgets import inputs

    arrive("page", ())
    if st.button("elsewhere"):
        put({"width": 0.7})
    width = inputs.knob("width", 0.25, log=True, unit=2.0, marks=[(1.0, "median")])
    st.text(f"{width} {parameters()}")


def turn(app: AppTest, value: object, time: int = 1) -> AppTest:
    """Report a value as the browser does."""
    states = app._tree.get_widget_states()
    report = states.widgets.add()
    report.id = app.get("bidi_component")[0].proto.id
    report.json_value = json.dumps({"knob": {"value": value, "time": time}})
    return app._run(states)


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(page).run()


def sent(app: AppTest) -> dict:
    return json.loads(app.get("bidi_component")[0].proto.json)


def test_a_slider_shows_a_key_over_its_range(app) -> None:
    assert not app.exception
    found = sent(app)
    assert (found["value"], found["low"], found["high"]) == (0.25, 0.001, 30.0)
    assert found["label"] == "Width σ, in median distances"
    assert "kernel" in found["help"]
    assert (found["log"], found["unit"], found["marks"]) == (True, 2.0, [[1.0, "median"]])
    assert app.text[0].value == "0.25 {}"


def test_a_release_changes_view_and_address(app) -> None:
    assert turn(app, 0.4).text[0].value == "0.4 {'width': ['0.4']}"
    assert sent(app)["value"] == 0.4
    assert turn(app, 0.25, 2).text[0].value == "0.25 {}"


def test_the_address_decides_at_first() -> None:
    app = AppTest.from_function(page)
    app.query_params["width"] = "0.8"
    assert app.run().text[0].value == "0.8 {'width': ['0.8']}"


def test_the_last_change_wins(app) -> None:
    turn(app, 0.4, 1)
    app.button[0].click().run()
    assert sent(app)["value"] == 0.7
    # The same value once more is a new report.
    assert turn(app, 0.4, 2).text[0].value == "0.4 {'width': ['0.4']}"


@pytest.mark.parametrize(
    ("value", "taken"), [(50.0, 30.0), (-1, 0.001), ("wide", 0.25), (None, 0.25), (math.nan, 0.25)]
)
def test_reports_that_cannot_be(app, value, taken) -> None:
    turned = turn(app, value)
    assert not turned.exception
    assert turned.text[0].value.startswith(f"{taken} ")


@pytest.mark.parametrize(
    ("low", "high", "log", "sentence"),
    [
        (1.0, 1.0, False, "must be ascending; got 1.0 and 1.0"),
        (0.0, 1.0, True, "positive and ascending"),
        (0.0, math.inf, False, "ascending"),
    ],
)
def test_ends_that_are_none(low, high, log, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        knob("a", 0.5, label="a", low=low, high=high, log=log, on_release=print)
