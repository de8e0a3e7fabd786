"""The answer in one line above the picture and the table: details are further down the page."""

from __future__ import annotations

import streamlit as st

from nestviz.escaping import LONGEST_NAME, markdown
from nestviz.ui.compute.outlier_reasons import UNUSUAL
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.outliers import reasons
from nestviz.ui.pages.outliers.explanation import Explanation
from nestviz.ui.pages.outliers.results import OutliersResult

NOTHING = (
    "Rank 1 is the most abnormal. Click a point or a row to see the reasons for its rank, or an "
    "empty location to score a new point there."
)


def show(whole: Current, shown: OutliersResult, why: Explanation | None) -> None:
    """Show the main reason for the rank of the selected point, or what to click."""
    st.markdown(NOTHING if why is None else sentence(whole, shown, why))


def sentence(whole: Current, shown: OutliersResult, why: Explanation) -> str:
    """Return the main reason for the rank of a point, as Markdown."""
    named = f"**{why.name[0].upper()}{why.name[1:]}: rank {why.rank:,}.**"
    if why.row < 0:
        return f"{named} Why is said below."
    profile = reasons.found(whole, shown, why.row).profile
    first = profile.order[0]
    z = profile.robust_z[first]
    feature = markdown(profile.names[first], LONGEST_NAME)
    value = f"{profile.values[first]:.4g} (median {profile.medians[first]:.4g}, robust z {z:.1f})"
    # One line, whatever it says: the picture and the table must not move when they are clicked.
    if abs(z) < UNUSUAL:
        but = ", but their combination is" if shown.flags.flagged[why.row] else ""
        return f"{named} No value is unusual by itself{but}. More below."
    return f"{named} Its most unusual value is {feature}, {value}. More below."
