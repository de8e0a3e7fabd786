"""A field with the address of the page, to copy."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_copy_link",
    html=read_assets("components/copy_link.html"),
    css=read_assets("components/row.css", "components/copy_link.css"),
    js=bundle("components/js/copy_link.js"),
)


def copy_link(*, key: str, version: int) -> None:
    """Show a field with the page's address and a button that copies it.

    Parameters
    ----------
    key : str
        Name of this field, unique in the app.
    version : int
        Version of the names and meanings of the parameters; ``v`` in the address.
    """
    _mount(key=key, data={"version": str(version)})
