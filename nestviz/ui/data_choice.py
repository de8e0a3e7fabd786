"""The one choice of data that all pages share, made in the sidebar and kept in the URL."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import streamlit as st

from nestviz.data import (
    SAMPLES,
    Dataset,
    Limits,
    Sample,
    principal_plane,
    standardise,
    subsample,
)
from nestviz.data.projection import Method
from nestviz.grids import Plane
from nestviz.ui.export import scripts
from nestviz.ui.results import fits
from nestviz.ui.session.own_data import own_data, own_data_missing
from nestviz.ui.session.view_state import MINE
from nestviz.ui.widgets import inputs

DEFAULT = "banana"
AT_ONCE = 1_500
"""More points than this are subsampled unless the user asks for them."""
WAYS: dict[Method | Literal["slice"], str] = {
    "pca": "Fit in the plane of two principal components",
    "tsne": "Fit in the plane of a t-SNE map",
    "umap": "Fit in the plane of a UMAP map",
    "slice": "Fit in full space, draw the slice",
}


@dataclass(frozen=True, eq=False)
class Current:
    """The data in use.

    Attributes
    ----------
    source : Dataset
        With all its features.
    fitted : Dataset
        What estimators see: the source, or its projection.
    plane : Plane
        The plane of the pictures, in the space of ``fitted``.
    notes : tuple of str
        What was done to draw more, or fewer, than two features.
    steps : tuple of str
        Lines of Python that make ``fitted`` under the name ``data``.
    own : Dataset or None
        The user's own data as they brought them along, where these are in use.
    """

    source: Dataset
    fitted: Dataset
    plane: Plane
    notes: tuple[str, ...] = ()
    steps: scripts.Lines = ()
    own: Dataset | None = None

    @property
    def plane_key(self) -> str:
        """Tells planes apart in cache keys, beside the fingerprint of ``fitted``."""
        return "slice" if self.fitted.d > 2 else "plane"


def sidebar() -> Current | None:
    """Show the data controls and return what they choose; None for own data that are not here."""
    with st.sidebar:
        st.subheader("Data", anchor=False)
        mine = own_data()
        name = _name()
        if name != MINE:
            return _drawn(*_sample(SAMPLES[name]))
        if mine is None:
            st.caption("Your own points are not in this tab.")
            return None
        st.caption(f"{mine.dataset.name} ({mine.origin})")
        drawn = _drawn(*_bounded(mine.dataset, scripts.file_lines(mine.dataset)))
        return replace(drawn, own=mine.dataset)


def _name() -> str:
    with_own = own_data() is not None or own_data_missing()
    # The first entry is the default; it must stay so when the user's own data join the list.
    names = [DEFAULT, *([MINE] if with_own else []), *(name for name in SAMPLES if name != DEFAULT)]
    return inputs.select(
        "data",
        "Data set",
        names,
        help="Samples, real data sets, or your own points from the Data page.",
    )


def _sample(sample: Sample) -> tuple[Dataset, scripts.Lines]:
    st.caption(sample.sentence)
    options = tuple((o.name, inputs.option_control(o, prefix=sample.name)) for o in sample.options)
    seed = inputs.number(
        "seed",
        "Seed",
        0,
        help="The same seed draws the same points.",
    )
    dataset = fits.sample(sample.name, int(seed), options)
    steps = scripts.sample_lines(sample.name, int(seed), dict(options))
    if sample.kind == "synthetic":
        return _bounded(dataset, steps)
    if inputs.toggle(
        "standardise",
        "Standardise",
        True,
        help="Bring each feature to mean 0 and standard deviation 1, so that none rules by scale.",
    ):
        dataset, steps = standardise(dataset), (*steps, *scripts.step_lines("standardise"))
    return _bounded(dataset, steps)


def _bounded(dataset: Dataset, steps: scripts.Lines) -> tuple[Dataset, scripts.Lines]:
    """All rows, or a seeded subsample where there are more than pictures can follow at once."""
    if dataset.n <= AT_ONCE:
        return dataset, steps
    most = inputs.number(
        "most",
        "Use at most … points",
        AT_ONCE,
        max_value=min(dataset.n, Limits().subsample_above),
        step=100,
        help="A seeded random subsample that keeps the share of the classes. More points take "
        "longer: a few seconds at 5,000.",
    )
    st.caption(f"{most:,} of {dataset.n:,} points are used.")
    steps = (*steps, *scripts.step_lines("subsample", int(most), 0))
    return subsample(dataset, int(most), 0), steps


def _drawn(source: Dataset, steps: scripts.Lines) -> Current:
    if source.d == 2:
        return Current(source, source, Plane.of_two_features(), steps=steps)
    if source.d == 1:
        flat = Dataset(
            np.column_stack([source.X[:, 0], np.zeros(source.n)]),
            source.y,
            (source.feature_names[0], "(nothing)"),
            source.name,
            source.provenance,
        )
        note = "There is one feature only; it is drawn along a line."
        steps = (*steps, *scripts.LINE_LINES)
        return Current(source, flat, Plane.of_two_features(), (note,), steps)
    way = inputs.select(
        "show",
        "More than two features",
        list(WAYS),
        help=" ".join(f"**{name}**: {text}." for name, text in WAYS.items()),
    )
    st.caption(WAYS[way])
    if way == "slice":
        note = f"Fitted in all {source.d} features; the picture is the slice through their mean."
        return Current(source, source, principal_plane(source.X), (note,), steps)
    projection = fits.projection(source, way, 0)
    notes = projection.dataset.provenance[-1:]
    steps = (*steps, *scripts.step_lines("project", way, 0, then=".dataset"))
    return Current(source, projection.dataset, Plane.of_two_features(), notes, steps)
