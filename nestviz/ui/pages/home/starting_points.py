"""Five ways into the app: each opens a page with an example and suitable settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import streamlit as st

from nestviz.data import SAMPLES
from nestviz.kernels import AUTO_SHARE
from nestviz.ui.pages.home import start_pictures
from nestviz.ui.session import selection
from nestviz.ui.session.view import open_page, put
from nestviz.ui.texts import text

ERRORS_PAGE = "pages/use/error_control.py"
"""Where "Control the errors" leads."""


@dataclass(frozen=True)
class StartingPoint:
    """A page, and what to set there before it is opened.

    Attributes
    ----------
    name : str
        Key of its button, and of its text and picture.
    title : str
        What the visitor wants.
    page : str
        File of the page.
    sample : str
        The example.
    width : float
        Its kernel width, as a share of the median distance.
    options : mapping
        Options of the sample that are not at their default.
    settings : mapping
        Keys of the page's own controls to their values.
    level : (kind, share), optional
        The level at which the page begins.
    """

    name: str
    title: str
    page: str
    sample: str
    width: float
    options: Mapping[str, float] = field(default_factory=dict)
    settings: Mapping[str, float | str] = field(default_factory=dict)
    level: tuple[selection.Kind, float] | None = None

    def state(self) -> dict[str, float | str]:
        """Everything that the example sets, also what is at its default: it may be touched."""
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
    StartingPoint("bandwidth", "Choose a bandwidth", "pages/use/bandwidth.py", "multi", AUTO_SHARE),
    StartingPoint(
        "tree",
        "Cluster tree",
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
    """The five cards."""
    for column, point in zip(st.columns(len(STARTING_POINTS)), STARTING_POINTS, strict=True):
        with column.container(border=True, height="stretch"):
            drawn = start_pictures.picture(point.name, point.title, point.sample, **point.options)
            st.image(drawn, width="stretch")
            st.button(
                point.title,
                key=f"start.{point.name}",
                on_click=_choose,
                args=(point,),
                width="stretch",
                help=f"Opens a page with the sample “{SAMPLES[point.sample].title}”.",
            )
            st.caption(text(f"home_{point.name}"))


def _choose(point: StartingPoint) -> None:
    """Set everything up, before the page is opened."""
    put(point.state())
    # What a page was left with must not undo what the card asks for.
    st.session_state.pop("method:page", None)
    if point.level is not None:
        selection.keep_level_share(*point.level)
    open_page(point.page)
