"""The starting points: each opens a page with an example and suitable settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from nestviz.data import SAMPLES
from nestviz.kernels import AUTO_SHARE
from nestviz.ui.compute.methods import Kind
from nestviz.ui.page_frame import page_text
from nestviz.ui.pages.home import start_pictures
from nestviz.ui.session import selection
from nestviz.ui.session.view import open_page, put

ERRORS_PAGE = "pages/use/error_control.py"
"""The page of "Control the errors"."""


@dataclass(frozen=True)
class StartingPoint:
    """A page, and the settings with which it is opened."""

    name: str  # Key of its button, its text and its picture
    # Text of the button, and file of the page
    title: str
    page: str
    # The sample and the kernel width, as a share of the median distance
    sample: str
    width: float
    # Options of the sample and controls of the page that are not at their default
    options: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, float | str] = field(default_factory=dict)
    level: tuple[Kind, float] | None = None  # The level at which the page begins

    def state(self) -> dict[str, float | str]:
        """Return all settings of the example, also those at their default."""
        options = {
            f"{self.sample}.{option.name}": self.options.get(option.name, option.default)
            for option in SAMPLES[self.sample].options
        }
        return {"data": self.sample, "seed": 0, "width": self.width, **options, **self.settings}


STARTING_POINTS = (
    StartingPoint(
        "violation",
        "Show me the violation",
        "pages/explore/one_class.py",
        "ring",
        0.4,
        settings={"left": "one-class SVM", "right": "nested one-class SVM", "levels": 11},
        level=("one class", 0.06),
    ),
    StartingPoint(
        "bandwidth", "Choose a bandwidth", "pages/use/bandwidth.py", "banana", AUTO_SHARE
    ),
    StartingPoint(
        "tree",
        "Find clusters",
        "pages/use/cluster_tree.py",
        "multi",
        AUTO_SHARE,
        settings={"method": "Parzen"},
        level=("one class", 0.3),
    ),
    StartingPoint(
        "outliers",
        "Find the outliers",
        "pages/use/outliers.py",
        "outliers",
        AUTO_SHARE,
        options={"fraction": 0.04},
    ),
    StartingPoint(
        "errors",
        "Control the errors",
        ERRORS_PAGE,
        "imbalanced",
        0.3,
        settings={"aim": "Neyman–Pearson", "alpha": 0.1, "search": "whole grid"},
    ),
)


def show() -> None:
    """Show the cards."""
    for column, point in zip(st.columns(len(STARTING_POINTS)), STARTING_POINTS, strict=True):
        with column.container(border=True, height="stretch"):
            drawn = start_pictures.picture(point.name, point.title, point.sample, **point.options)
            alt = f"{point.title}, on the sample {SAMPLES[point.sample].title}"
            st.image(drawn, width="stretch", alt=alt)
            st.button(
                point.title,
                key=f"start.{point.name}",
                on_click=_choose,
                args=(point,),
                width="stretch",
                help=f"Opens a page with the sample “{SAMPLES[point.sample].title}”.",
            )
            st.caption(page_text("home", point.name))


def _choose(point: StartingPoint) -> None:
    """Apply the settings and open the page."""
    put(point.state())
    # The last choice of the page must not override that of the card.
    st.session_state.pop("method:page", None)
    if point.level is not None:
        selection.keep_level_share(*point.level)
    open_page(point.page)
