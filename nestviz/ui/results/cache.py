"""The cache of results.

Results of samples are shared by all sessions. Results of a user's own data belong to their session
and are dropped with it. One store bounds them all.
"""

from __future__ import annotations

import inspect
import uuid
import weakref
from collections.abc import Callable, Hashable
from contextlib import nullcontext
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.results import admission
from nestviz.ui.results.lru import MEGABYTE, Store
from nestviz.ui.session.own_data import DATA_KEY, MINE

P = ParamSpec("P")
R = TypeVar("R")

STORE = Store(max_entries=1024, max_bytes=2048 * MEGABYTE)
"""Results of all sessions; treat them as read-only."""

_NAME = "session_name"
_MISSING = object()


class _SessionName:
    """The id of a session; when it is deleted with the session, its results are dropped."""

    def __init__(self) -> None:
        self.text = uuid.uuid4().hex
        weakref.finalize(self, STORE.drop_owner, self.text)


def session_name() -> str:
    """Return the unique, secret id of the session."""
    if _NAME not in st.session_state:
        st.session_state[_NAME] = _SessionName()
    name: _SessionName = st.session_state[_NAME]
    return name.text


def owner() -> str | None:
    """Return the session id owning results now: with own data in use; None if shared."""
    return session_name() if st.session_state.get(DATA_KEY) == MINE else None


def plain(key: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """Replace data by their fingerprint in a key, so that the cache does not keep them alive."""
    return tuple(part.fingerprint if isinstance(part, Dataset) else part for part in key)


def keep(key: tuple[Hashable, ...], make: Callable[[], R], spinner: str = "") -> R:
    """Return the cached result of a key; where there is none, make it when a core is free."""
    whose, full = owner(), plain(key)
    found: R = STORE.get(whose, full, _MISSING)
    if found is not _MISSING:
        return found

    def made() -> R:
        with st.spinner(spinner) if spinner else nullcontext():
            return make()

    with admission.solving():
        return STORE.get_or_make(whose, full, made)


def kept(spinner: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function whose results are cached.

    The key consists of all arguments but those whose names begin with an underscore, as in
    Streamlit's caches. Unlike those, this one is bounded in bytes and private for own data.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)

        @wraps(function)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            named = [value for name, value in bound.arguments.items() if name[0] != "_"]
            key = (function.__module__, function.__qualname__, *named)
            return keep(key, lambda: function(*args, **kwargs), spinner)

        return wrapped

    return decorate
