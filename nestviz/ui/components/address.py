"""Write the address of the page without a new entry in the browser's history."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.components.assets import bundle

_mount = st.components.v2.component("nestviz_address", js=bundle("components/js/address.js"))


def replace_address(page: str, pages: list[str], search: str) -> None:
    """Replace the parameters in the address by those of a page.

    Streamlit itself makes an entry in the browser's history for every change.

    Parameters
    ----------
    page : str
        Address of the page that the parameters belong to; empty for the first page.
    pages : list of str
        Addresses of all pages.
    search : str
        The encoded parameters.
    """
    _mount(key="address", data={"page": page, "pages": pages, "search": search})
