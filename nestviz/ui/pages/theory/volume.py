"""Chapter 12: mass against volume, and the width of the kernel with the smallest area."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.widgets.charts import chart


def show() -> None:
    """Show the curve of one width beside the best one, and the area over all widths."""
    from nestviz.figures.bandwidth import integrated_volume_figure, mass_volume_figure

    found = mini.bandwidths()
    names = [f"{sigma:.2f}" for sigma in found.sigmas]
    chosen = st.select_slider(
        "Width σ", names, value=names[2], key="theory_sigma", help="The width whose curve is drawn."
    )
    place = names.index(chosen)
    here, least = found.values[place], found.values[found.best]
    best = f"least integrated volume, σ = {names[found.best]}"
    curves = {f"σ = {chosen}": found.curves[place], best: found.curves[found.best]}
    left, right = st.columns(2)
    with left:
        alt = f"Volume over mass for σ = {chosen}, area {here:.1f}, and for σ = {names[found.best]}"
        chart(mass_volume_figure(curves), "theory_curve", 360, alt)
    with right:
        figure = integrated_volume_figure(found, {"drawn": float(found.sigmas[place])})
        alt = (
            f"Integrated volume over the width: {here:.1f} at σ = {chosen}, smallest, "
            f"{least:.1f}, at σ = {names[found.best]}"
        )
        chart(figure, "theory_volumes", 360, alt)
    st.caption(
        f"Sixty points in three clusters, masses by five-fold cross-validation. The area under the "
        f"curve is {here:.1f} at σ = {chosen} and {least:.1f} where it is least."
    )
