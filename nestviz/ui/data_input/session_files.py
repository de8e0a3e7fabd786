"""Sessions kept in a file: save the present one, or go on with an earlier one."""

from __future__ import annotations

import streamlit as st

from nestviz.data import DataError
from nestviz.ui.menu import PAGES
from nestviz.ui.session import session_file, session_restore
from nestviz.ui.session.session_file import Session


def show_upload() -> None:
    """Open a session file."""
    uploaded = st.file_uploader(
        "A session file",
        type=["json"],
        key="session_upload",
        help=f"A file ending in .{session_file.ENDING}, saved on this page or under “Take it home” "
        f"on any other. It stays on this server, in this session.",
    )
    if uploaded is not None:
        _open(uploaded.getvalue())


def _open(content: bytes) -> None:
    try:
        session = session_file.read(content)
        file, title = _page(session.page)
    except DataError as error:
        st.error(f"{error} Your present session is unchanged.", icon=":material/error:")
        return
    st.markdown(_in_words(session, title))
    st.button(
        "Open this session",
        type="primary",
        icon=":material/restore:",
        key="session_open",
        on_click=session_restore.begin,
        args=(session, file),
        help="Replaces your own points, if the file has some. All settings become those of the "
        "file; what it does not name goes back to its default.",
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


def _in_words(session: Session, title: str) -> str:
    data = session.dataset
    points = "a sample" if data is None else f"{data.n:,} points of “{data.name}”"
    count = len(session.parameters)
    settings = "1 setting" if count == 1 else f"{count} settings"
    marked = f", {len(session.points):,} selected" if session.points else ""
    return f"**{title}** with {points}{marked}, {settings}."
