"""Chapters 7 and 9: successive unions, and kernels with negative values."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.pages.theory.play import play


def show_union() -> None:
    """Show the sets of the path beside their successive unions."""
    play(mini.union(), "union")
    st.caption(
        "Left, striped: regions that a smaller set contained and this one does not. On the right "
        "they are kept."
    )


def show_kernel() -> None:
    """Show sets that satisfy the constraints, for several kernels."""
    name = st.selectbox(
        "Kernel",
        list(mini.KERNELS),
        key="theory_kernel",
        help="The coefficients satisfy the constraints (8) and (9) with each of them.",
    )
    play(mini.kernel_sets(name), f"kernel-{list(mini.KERNELS).index(name)}")
    if mini.KERNELS[name].nonnegative:
        st.caption("This kernel is never negative: the sets are nested.")
    else:
        st.caption(
            "This kernel can be negative: the constraints hold, and yet locations that were "
            "inside are outside later. The nested estimators reject it."
        )
