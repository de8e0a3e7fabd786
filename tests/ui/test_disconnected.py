"""Sessions whose browser is gone: how long they can be resumed, and when they end."""

import gc
from types import SimpleNamespace

import pytest

from nestviz.data import Dataset
from nestviz.ui.live.disconnected import DisconnectedSessions
from nestviz.ui.session.own_data import OWN_DATA, OwnData


class Fragments(dict):
    """Stands for its fragments, which can be referred to weakly."""


class Session:
    """Stands for Streamlit's session."""

    def __init__(self, name):
        self.id = name
        self.ended = 0
        # Names that are Streamlit's own
        vars(self).update({"_session_state": {"own": "data"}, "_fragment_storage": Fragments()})

    @property
    def state(self):
        return vars(self)["_session_state"]

    @property
    def fragments(self):
        return vars(self)["_fragment_storage"]

    def shutdown(self):
        self.ended += 1

    def flush_browser_queue(self):
        return []


@pytest.fixture
def clock():
    return [0.0]


@pytest.fixture
def storage(clock, monkeypatch):
    monkeypatch.setattr(DisconnectedSessions, "newest", None)
    return DisconnectedSessions(maxsize=3, ttl_seconds=20, clock=lambda: clock[0])


def save(storage, name):
    session = Session(name)
    storage.save(SimpleNamespace(session=session))
    return session


def test_a_browser_may_come_back_for_a_while(storage, clock):
    session = save(storage, "a")
    clock[0] = 20.0
    assert storage.sweep() == 0
    assert storage.get("a").session is session
    storage.delete("a")
    clock[0] = 50.0
    assert storage.sweep() == 0
    assert (session.ended, session.state) == (0, {"own": "data"})


def test_after_that_the_session_ends_without_any_other_event(storage, clock):
    session = save(storage, "a")
    clock[0] = 20.5
    assert storage.get("a") is None
    assert storage.sweep() == 1
    assert (session.ended, session.state, storage.list()) == (1, {}, [])
    assert storage.sweep() == 0


def test_the_oldest_end_first_when_there_are_many(storage):
    sessions = [save(storage, name) for name in "abcd"]
    assert [session.ended for session in sessions] == [1, 0, 0, 0]
    assert [info.session.id for info in storage.list()] == ["b", "c", "d"]


@pytest.mark.parametrize("late", ["fragments", "data"])
def test_what_a_late_run_held_is_collected_as_well(storage, clock, monkeypatch, late):
    """A run that ends after its session leaves its frames, and the data, to the collector."""
    collected = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(clock[0]))
    session = save(storage, "a")
    own = OwnData(Dataset([[0.0], [1.0]]), "file")
    session.state[OWN_DATA] = own
    held = session.fragments if late == "fragments" else own.dataset
    del own
    for clock[0] in (20.5, 35.0, 60.0):
        storage.sweep()
    assert collected == [20.5, 35.0, 60.0]
    del held
    clock[0] = 64.0
    storage.sweep()
    assert collected[-1] == 60.0


def test_collecting_ends_if_something_is_never_released(storage, clock, monkeypatch):
    collected = []
    monkeypatch.setattr(gc, "collect", lambda: collected.append(clock[0]))
    held = save(storage, "a").fragments
    for clock[0] in (20.5, 300.0, 400.0):
        storage.sweep()
    assert collected == [20.5, 300.0]
    assert held == {}
