"""The address of the page, written without a new entry in the browser's history."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.components.assets import bundle

_mount = st.components.v2.component("nestviz_address", js=bundle("components/js/address.js"))


def replace_address(page: str, pages: list[str], search: str) -> None:
    """Write the parameters of a page into the address, in place of those it has.

    Streamlit's own way of writing them makes an entry in the browser's history for every change.

    Parameters
    ----------
    page : str
        Address of the page that the parameters belong to; empty for the first page.
    pages : list of str
        Addresses of all pages.
    search : str
        The parameters, encoded.
    """
    _mount(key="address", data={"page": page, "pages": pages, "search": search})
