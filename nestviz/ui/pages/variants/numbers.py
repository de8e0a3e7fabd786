"""The numbers of two estimators at the ν at rest."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.compute import variants
from nestviz.ui.compute.methods import certificate_of
from nestviz.ui.compute.variants import AtRest, Variant
from nestviz.ui.widgets.metrics import metrics

FOLDER = "pages/variants"
VOID = 10.0
"""Offsets up to so many roundings count as zero."""


def show(data: Dataset, variant: Variant, found: AtRest) -> None:
    """Show a row of numbers for each side, and how much the two sets differ."""
    columns = st.columns(2, gap="medium")
    for k, (column, side) in enumerate(zip(columns, variants.sides(variant, data.X), strict=True)):
        with column:
            st.markdown(f"**{side.title}**")
            model = found.models[k]
            values = {"outside": f"{found.outside[k]:,} of {len(side.rows):,}"}
            if variant.kind == "ball":
                values |= lengths(model)
            elif variant.rows:
                name = "known_inside" if variant.kind == "outliers" else "others_inside"
                values[name] = f"{found.others[k]:,} of {len(variant.rows):,}"
            values["support"] = f"{len(model.support_):,}"
            metrics(FOLDER, values, compact=True)
            st.caption(f"Certificate: {certificate_of(model)}.")
    st.markdown(difference(variant, found))
    if variant.kind != "ball" and is_void(found.models[1]):
        st.warning(
            "At this ν and σ no hyperplane separates the points on the right: w is nearly zero, "
            "and the set means nothing. Raise ν, or lower σ.",
            icon=":material/report:",
        )


def lengths(model: Any) -> dict[str, str]:
    """Return ρ and the distance of a half-space, or radius and centre of a ball."""
    if hasattr(model, "radius_"):
        return {"radius": f"{model.radius_:.4g}", "centre": f"{squared_norm(model) ** 0.5:.4g}"}
    norm = squared_norm(model) ** 0.5
    distance = f"{model.rho_ / norm:.4g}" if norm > 0 else "none"
    return {"rho": f"{model.rho_:.4g}", "distance": distance}


def squared_norm(model: Any) -> float:
    """Return ‖w‖² of a half-space, or ‖c‖² of a ball: Σ α_i α_j k(x_i, x_j)."""
    family = model.family_
    alpha, centres = family.coefficients_at([model.level_])[0][0], family.centres
    if not hasattr(model, "radius_"):
        return max(2.0 * float(model.objective_), 0.0)
    # The dual objective of a ball has a linear term.
    own = float(alpha @ family.kernel.diagonal(centres))
    return max(float(model.objective_) + own, 0.0)


def is_void(model: Any) -> bool:
    """Return whether ρ is zero up to rounding."""
    return bool(model.rho_ <= VOID * model.tolerance_)


def difference(variant: Variant, found: AtRest) -> str:
    """Return how much the two sets differ, in words."""
    if found.differ == 0:
        same = "The two sets are the same on every pixel of the picture"
        if variant.kind == "ball" and not variant.degree:
            left, right = found.models
            by_rho = 1.0 + squared_norm(left) - 2.0 * left.rho_
            return (
                f"{same}, though two different problems were solved: R² = {right.radius_**2:.6f}, "
                f"and 1 + ‖w‖² − 2ρ = {by_rho:.6f}."
            )
        return f"{same}."
    share = f"{found.differ:.1%}" if found.differ >= 0.001 else "less than 0.1%"
    return f"The two sets differ on **{share}** of the picture."
