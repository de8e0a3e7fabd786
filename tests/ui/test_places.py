"""The number of sessions that are served."""

import gc

import pytest
from streamlit.testing.v1 import AppTest

from nestviz.resources import app_dir
from nestviz.ui.results import places
from nestviz.ui.results.places import Places, default_limit


def test_sessions_beyond_the_limit_are_not_served():
    seats = Places(2)
    assert seats.admit("a", lambda: True)
    assert seats.admit("b", lambda: True)
    assert not seats.admit("c", lambda: True)
    assert seats.admit("a", lambda: True)
    assert seats.taken == 2


def test_a_reloaded_tab_finds_its_place_free():
    seats, connected = Places(1), [True]
    assert seats.admit("before", lambda: connected[0])
    connected[0] = False
    assert seats.admit("after", lambda: True)


def test_a_session_that_comes_back_is_served_in_any_case():
    seats, connected = Places(1), [False]
    seats.admit("gone", lambda: connected[0])
    assert seats.admit("new", lambda: True)
    connected[0] = True
    assert seats.admit("gone", lambda: True)
    assert not seats.admit("third", lambda: True)
    seats.drop("gone")
    seats.drop("new")
    assert seats.admit("third", lambda: True)


def test_the_limit_follows_cores_and_memory(monkeypatch):
    monkeypatch.setattr(places, "usable_cores", lambda: 4)
    for megabytes, limit in ((1e6, 100), (2000.0, 50), (10.0, 1)):
        monkeypatch.setattr(places, "memory_megabytes", lambda value=megabytes: value)
        assert default_limit() == limit
    assert places.memory_megabytes() > 0


@pytest.fixture
def one_place(monkeypatch):
    seats = Places(1)
    monkeypatch.setattr(places, "PLACES", seats)
    return seats


def test_the_page_says_that_the_server_is_full(one_place):
    one_place.admit("somebody", lambda: True)
    app = AppTest.from_file(str(app_dir() / "app.py"), default_timeout=600)
    app.run()
    assert not app.exception
    assert app.warning[0].value.startswith("The server is full: its limit of open sessions is 1.")
    assert [button.label for button in app.button] == ["Try again"]
    assert not app.title
    one_place.drop("somebody")
    app.button[0].click().run()
    assert app.title
    assert not app.warning
    del app
    gc.collect()
    assert one_place.taken == 0
