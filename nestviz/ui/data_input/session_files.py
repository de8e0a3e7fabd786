"""Save the current session as a file, or open a saved one."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from nestviz.data import DataError
from nestviz.escaping import markdown
from nestviz.ui.data_choice import Current
from nestviz.ui.menu import PAGES
from nestviz.ui.session import selection, session_file
from nestviz.ui.session.own_data import bring_back, own_data
from nestviz.ui.session.session_file import KINDS, Session
from nestviz.ui.session.view import open_page, parameters
from nestviz.ui.session.view_state import MINE, Selection, View, read_address


def offer(current: Current, page: str, *, key: str) -> None:
    """Show a button that saves the session."""
    session = _current_session(current, page)
    st.download_button(
        "Session file",
        lambda: session_file.write(session),
        f"{page}.{session_file.ENDING}",
        "application/json",
        key=key,
        on_click="ignore",
        icon=":material/save:",
        help="Save points, settings and selection to continue elsewhere",
    )


def _current_session(current: Current, page: str) -> Session:
    chosen = selection.selection(current.fitted)
    known = own_data()
    shares = {kind: selection.level_share(kind) for kind in KINDS}
    return Session(
        page,
        parameters(),
        current.own,
        known.origin if known and current.own is not None else "",
        chosen.points,
        chosen.fingerprint,
        chosen.branch,
        {kind: share for kind, share in shares.items() if share is not None},
    )


def show_upload() -> None:
    """Show the upload of a session file, and a button that opens it."""
    uploaded = st.file_uploader(
        "A session file",
        type=["json"],
        key="session_upload",
        help=f"A file ending in .{session_file.ENDING}, saved on this page or under “Export” on "
        "any other. It stays on this server, in this session.",
    )
    if uploaded is None:
        return
    try:
        session = session_file.read(uploaded.getvalue())
        file, title = _page(session.page)
    except DataError as error:
        st.error(
            f"{markdown(str(error))} Your current session is unchanged.", icon=":material/error:"
        )
        return
    st.markdown(_summary(session, title))
    st.button(
        "Open this session",
        type="primary",
        icon=":material/restore:",
        key="session_open",
        on_click=_restore,
        args=(session, file),
        help="Replaces your own points if the file has some. All settings become those of the "
        "file; settings that it does not name return to their defaults.",
    )


def _page(address: str) -> tuple[str, str]:
    for rows in PAGES.values():
        for file, title, known, _ in rows:
            if known == address:
                return file, title
    raise DataError(
        f"The session belongs to a page “{address[:40]}” that this version does not have.",
        hint="Update nestviz to open it.",
    )


def _summary(session: Session, title: str) -> str:
    data = session.dataset
    points = "a sample" if data is None else f"{data.n:,} points of “{markdown(data.name)}”"
    count = len(session.parameters)
    settings = "1 setting" if count == 1 else f"{count} settings"
    marked = f", {len(session.points):,} selected" if session.points else ""
    return f"**{title}** with {points}{marked}, {settings}."


def _restore(session: Session, page: str) -> None:
    """Restore a session and go to its page; a callback."""
    found = read_address(session.parameters)
    asked = found.over(View())
    restored: View = replace(
        asked,
        data=asked.data if session.dataset is None else MINE,
        selection=Selection(session.fingerprint, session.points, session.branch),
        one_class_share=session.levels.get("one class"),
        two_class_share=session.levels.get("two classes"),
    )
    if session.dataset is not None:
        bring_back(session.dataset, session.origin)
    open_page(page, restored, found.unusable)
