"""A QR code of the link to the present view, made on this machine."""

from __future__ import annotations

import io
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from nestviz.ui.session.view import parameters
from nestviz.ui.session.view_state import LINK_VERSION

BORDER, SCALE = 4, 8
"""Modules around the code, as its standard demands, and pixels of each."""
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def link() -> str | None:
    """Return the link to the present view; None where the browser has not named its address."""
    address = st.context.url
    if not address:
        return None
    parts = urlsplit(address)
    query = urlencode(parameters() | {"v": [str(LINK_VERSION)]}, doseq=True)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, ""))


def qr_svg(text: str) -> str | None:
    """Return the QR code of a text as the text of an SVG file; None if the text is too long."""
    out = io.BytesIO()
    try:
        code = segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        return None
    code.save(out, kind="svg", border=BORDER, scale=SCALE, light="#ffffff", xmldecl=False)
    return out.getvalue().decode()


def show(width: int = 260) -> None:
    """Show the QR code of the link."""
    found = link()
    svg = None if found is None else qr_svg(found)
    if found is None or svg is None:
        st.caption("The link is too long for a QR code." if found else "No address is known here.")
        return
    st.image(svg, width=width, alt="QR code of the link to this view")
    if urlsplit(found).hostname in THIS_MACHINE:
        st.caption(
            "This address works on this machine only. Start with `nestviz app --address 0.0.0.0` "
            "and open the app by its name in the network to share it with a class."
        )
