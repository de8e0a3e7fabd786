"""Runs of pages and solves take turns; what is cached waits for no solve."""

import threading
from contextlib import contextmanager

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.testing.v1 import AppTest

from nestviz.ui.results import admission, cache
from nestviz.ui.results.turns import Turns

LONG = 600.0


def page():
    import streamlit as st

    from nestviz.ui.results import admission, cache

    with admission.page_run():
        found = cache.keep(("doubled", st.session_state["x"]), lambda: 2 * st.session_state["x"])
        st.text(str(found))


@pytest.fixture
def turns(monkeypatch):
    """One turn at solving and one at running, of this test only."""
    cache.STORE.clear()
    monkeypatch.setattr(admission, "SOLVES", Turns(1))
    monkeypatch.setattr(admission, "RUNS", Turns(1))
    return admission


def visit(x):
    app = AppTest.from_function(page, default_timeout=LONG)
    app.session_state["x"] = x
    return app.run()


class Visit(threading.Thread):
    """A visit in a thread of its own."""

    def __init__(self, x):
        super().__init__()
        self.x, self.shown, self.done = x, None, threading.Event()
        self.start()

    def run(self):
        self.shown = [text.value for text in visit(self.x).text]
        self.done.set()


def until(condition):
    pause = threading.Event()
    while not condition():
        pause.wait(0.01)


def test_a_cached_view_does_not_wait_for_solves(turns):
    assert visit(3).text[0].value == "6"
    solving = turns.SOLVES.join("somebody")
    waiting = Visit(4)
    until(lambda: len(turns.SOLVES) == 1)
    assert visit(3).text[0].value == "6"
    assert not waiting.done.is_set()
    solving.leave()
    waiting.join()
    assert waiting.shown == ["8"]
    assert (turns.SOLVES.taken, turns.RUNS.taken) == (0, 0)


def test_a_page_that_waits_says_how_many_come_before(turns, monkeypatch):
    said = []

    @contextmanager
    def spinner(text):
        said.append(text)
        yield

    monkeypatch.setattr(admission.st, "spinner", spinner)
    monkeypatch.setattr(admission, "QUIET_SECONDS", 0.0)
    solving, other = turns.SOLVES.join("somebody"), turns.SOLVES.join("another")
    waiting = Visit(5)
    until(lambda: said)
    solving.leave()
    until(lambda: len(said) > 1)
    other.leave()
    waiting.join()
    assert said == [
        "Waiting for a free core: 1 other before you",
        "Waiting for a free core: you are next",
    ]
    assert admission.waiting_words(3) == "Waiting for a free core: 3 others before you"


@pytest.mark.parametrize("queue", ["SOLVES", "RUNS"])
def test_a_run_that_is_no_longer_needed_leaves_the_queue(turns, monkeypatch, queue):
    def end():
        raise StopException

    monkeypatch.setattr(admission, "end_if_superseded", end)
    taken = getattr(turns, queue).join("somebody")
    assert not visit(7).text
    taken.leave()
    for line in (turns.SOLVES, turns.RUNS):
        assert (len(line), line.taken) == (0, 0)


def test_streamlit_ends_a_waiting_run_when_it_asks(turns, monkeypatch):
    """A session that is closed, or has a newer run, is asked to end where it uses its state."""
    asked = []
    monkeypatch.setattr(admission, "get_script_run_ctx", lambda: object())
    monkeypatch.setattr(admission.st, "session_state", type("State", (), {"get": asked.append})())
    admission.end_if_superseded()
    assert asked


def test_a_solve_inside_a_solve_needs_no_further_turn(turns):
    def nested():
        return cache.keep(("inner",), lambda: turns.SOLVES.taken)

    assert cache.keep(("outer",), nested) == 1
    assert turns.SOLVES.taken == 0


def test_a_solve_that_fails_gives_its_turn_back(turns):
    def fail():
        raise ZeroDivisionError

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.keep(("fails",), fail)
    assert turns.SOLVES.taken == 0


def test_a_run_steps_aside_while_it_solves(turns):
    with admission.page_run():
        assert turns.RUNS.taken == 1
        with admission.solving():
            assert turns.RUNS.taken == 0
            assert turns.SOLVES.taken == 1
        assert turns.RUNS.taken == 1
    assert turns.RUNS.taken == 0
