"""Chapter 4: coefficients along the level, and the three groups of points."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.widgets.charts import chart


def show() -> None:
    """Show the coefficients along the level, and the points by group at one level."""
    from nestviz.analysis.level_sweep import outline
    from nestviz.figures.solution_path import path_figure, sets_figure

    small = mini.tiny()
    share = st.slider(
        "Level, as a share of λ₀", 0.02, 1.0, 0.4, 0.02, key="theory_at",
        help="Moves the dashed line, and the set beside it.",
    )  # fmt: skip
    level, levels = share * small.top, np.linspace(1e-6, 1.0, 400) * small.top
    path, codes = small.path, small.path.sets(level)
    outside, on, inside = (int(np.count_nonzero(codes == code)) for code in (0, 1, 2))
    left, right = st.columns(2)
    with left:
        panel = [(f"{path.breakpoints_.size} breakpoints", levels, path.coefficients(levels))]
        figure = path_figure(panel, "level λ", level, path.breakpoints_)
        alt = (
            f"Coefficients of forty points along the level, straight between breakpoints; λ = "
            f"{level:.3g} is marked"
        )
        chart(figure, "theory_path", 380, alt)
    field = path.family_.values(small.grid, level).reshape(small.grid.shape)
    with right:
        figure = sets_figure(small.X, codes, outline(field, small.grid), ("x1", "x2"))
        alt = f"The set at λ = {level:.3g}: {outside} points outside, {on} on it, {inside} inside"
        chart(figure, "theory_sets", 380, alt)
    st.caption(
        f"At λ = {level:.3g}: {outside} points are outside the set, {on} on its boundary, and "
        f"{inside} inside."
    )
