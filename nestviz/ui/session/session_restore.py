"""Opening a session file: everything set as it was, then on to its page."""

from __future__ import annotations

from dataclasses import replace

from nestviz.ui.session.own_data import bring_back
from nestviz.ui.session.session_file import Session
from nestviz.ui.session.view import open_page
from nestviz.ui.session.view_state import MINE, Selection, View, decode


def begin(session: Session, page: str) -> None:
    """Set everything up as the session has it; for use as a callback.

    Parameters
    ----------
    session : Session
        From a file that was checked.
    page : str
        File of the page to go on with.
    """
    if session.dataset is not None:
        bring_back(session.dataset, session.origin)
    open_page(page, view_of(session))


def view_of(session: Session) -> View:
    """What a session shows."""
    asked = decode(session.parameters)
    return replace(
        asked,
        data=asked.data if session.dataset is None else MINE,
        selection=Selection(session.fingerprint, session.points, session.branch),
        one_class_share=session.levels.get("one class"),
        two_class_share=session.levels.get("two classes"),
    )
