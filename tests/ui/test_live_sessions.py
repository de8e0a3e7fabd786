"""Tokens: what they reach, and when they end."""

import gc

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.ui.live.question import RefusalError
from nestviz.ui.live.registry import GONE_SECONDS, PLAYERS_KEPT, REGISTRY, Registry


def page():
    import streamlit as st

    from nestviz.ui.live.sessions import offer

    name = st.session_state.get("name", "one_class")
    answer = st.session_state.get("answer", b"first")
    st.session_state["live"] = offer(name, lambda question: answer)


@pytest.fixture
def answering(monkeypatch):
    """The registry of the server, as if it were served."""
    monkeypatch.setattr(REGISTRY, "url", "nestviz/live")
    gc.collect()  # sessions of other tests
    assert len(REGISTRY) == 0
    return REGISTRY


def visit(**state):
    app = AppTest.from_function(page)
    for name, value in state.items():
        app.session_state[name] = value
    return app.run()


def test_nothing_is_offered_where_nothing_answers():
    app = visit()
    assert not app.exception
    assert app.session_state["live"] is None
    assert len(REGISTRY) == 0


def test_a_page_offers_its_newest_build_under_one_token(answering):
    app = visit()
    live = app.session_state["live"]
    assert live == {"url": "nestviz/live", "token": live["token"], "player": "one_class"}
    assert len(live["token"]) >= 43
    app.session_state["answer"] = b"second"
    app.run()
    assert app.session_state["live"] == live
    _, build = answering.find(live["token"], "one_class")
    assert build(None) == b"second"


def test_a_token_reaches_the_players_of_its_session_only(answering):
    mine, theirs = visit(), visit(name="two_classes")
    token, other = (app.session_state["live"]["token"] for app in (mine, theirs))
    assert token != other
    answering.find(other, "two_classes")
    with pytest.raises(RefusalError):
        answering.find(token, "two_classes")


def test_a_token_ends_with_its_session(answering):
    app = visit()
    token = app.session_state["live"]["token"]
    answering.find(token, "one_class")
    del app
    gc.collect()
    with pytest.raises(RefusalError):
        answering.find(token, "one_class")
    assert len(answering) == 0


def test_players_of_pages_left_behind_are_dropped():
    registry = Registry()
    for number in range(PLAYERS_KEPT + 5):
        registry.put("ticket", f"player {number}", lambda question: b"")
        registry.put("ticket", "in use", lambda question: b"")
    session, _ = registry.find("ticket", "in use")
    assert len(session.players) == PLAYERS_KEPT
    with pytest.raises(RefusalError):
        registry.find("ticket", "player 0")


def test_a_disconnected_session_is_not_answered_and_dropped_after_a_while():
    now, connected = [0.0], [True]
    registry = Registry(lambda: now[0])
    registry.put("ticket", "p", lambda question: b"", lambda: connected[0])
    registry.sweep()
    connected[0] = False
    with pytest.raises(RefusalError):
        registry.find("ticket", "p")
    registry.sweep()
    connected[0] = True
    registry.sweep()
    registry.find("ticket", "p")
    connected[0] = False
    for passed in (0, GONE_SECONDS):
        now[0] += passed
        registry.sweep()
        assert len(registry) == 1
    now[0] += 1
    registry.sweep()
    assert len(registry) == 0
