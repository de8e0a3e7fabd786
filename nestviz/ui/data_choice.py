"""The choice of data that all pages share, made in the sidebar and kept in the address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import streamlit as st

from nestviz.data import SAMPLES, Dataset, Limits, Sample, principal_plane, standardise, subsample
from nestviz.data.annotations import Annotations
from nestviz.data.densities import Density, sample_density
from nestviz.data.projection import Method
from nestviz.escaping import markdown
from nestviz.grids import Plane
from nestviz.ui.export import scripts
from nestviz.ui.results import fits
from nestviz.ui.session.own_data import OwnData, own_data, own_data_missing
from nestviz.ui.session.view import view
from nestviz.ui.session.view_state import MINE
from nestviz.ui.widgets import inputs

KEY = "current_data"
"""Where the session keeps the data in use."""
DEFAULT = "banana"
DEFAULT_SUBSAMPLE = 1_500
"""More points than this are subsampled unless the user asks for them."""
WAYS: dict[Method | Literal["slice"], str] = {
    "pca": "Fit in the plane of two principal components",
    "tsne": "Fit in the plane of a t-SNE map",
    "umap": "Fit in the plane of a UMAP map",
    "slice": "Fit in full space, draw the slice",
}


@dataclass(frozen=True, eq=False)
class Current:
    """The data in use."""

    source: Dataset  # All features
    fitted: Dataset  # The training set: the source, or its projection
    plane: Plane  # The plane of the pictures, in the space of ``fitted``
    notes: tuple[str, ...] = ()  # How data with one feature, or more than two, are drawn
    steps: scripts.Lines = ()  # Python lines that make ``fitted`` under the name ``data``
    own: Dataset | None = None  # The user's own data as uploaded, if they are in use
    density: Density | None = None  # That the points were drawn from, if it is known

    @property
    def plane_key(self) -> str:
        """The kind of the plane: "slice" through more than two features, or "plane"."""
        return "slice" if self.fitted.d > 2 else "plane"


def axis_names(data: Dataset) -> tuple[str, str]:
    """Return the names of the axes of the plane in which data are drawn."""
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    return names[0], names[1]


def sidebar(default: str = DEFAULT) -> Current | None:
    """Show the data controls; return the data chosen, or None for own data that are missing.

    ``default`` is the sample that the page shows where none was chosen.
    """
    with st.sidebar:
        st.header("Data", anchor=False)
        mine = own_data()
        name = _name(default)
        if name != MINE:
            sample = SAMPLES[name]
            data, steps, options = _sample(sample)
            density = sample_density(name, int(view().seed or 0), **options)
            return replace(_drawn(data, steps), density=density)
        if mine is None:
            st.caption("Your own points are not in this tab.")
            return None
        st.caption(markdown(_origin(mine)))
        drawn = _drawn(*_bounded(mine.dataset, scripts.file_lines(mine.dataset)))
        return replace(drawn, own=mine.dataset)


def _origin(mine: OwnData) -> str:
    """Return the name of the user's own data and, unless the name says it, where they are from."""
    name, origin = mine.dataset.name, mine.origin
    return name if origin in name else f"{name} ({origin})"


def _name(default: str) -> str:
    with_own = own_data() is not None or own_data_missing()
    # The first entry is the default, also when the user's own data join the list.
    names = [default, *([MINE] if with_own else []), *(name for name in SAMPLES if name != default)]
    return inputs.select("data", names, format_func=_title)


def _title(name: str) -> str:
    return "Your own points" if name == MINE else SAMPLES[name].title


def _sample(sample: Sample) -> tuple[Dataset, scripts.Lines, dict[str, float]]:
    st.caption(sample.sentence)
    options = tuple((o.name, inputs.option_control(o, prefix=sample.name)) for o in sample.options)
    seed = inputs.number("seed", 0)
    dataset = fits.sample(sample.name, int(seed), options)
    steps = scripts.sample_lines(sample.name, int(seed), dict(options))
    if sample.kind == "synthetic":
        return *_bounded(dataset, steps), dict(options)
    if inputs.toggle("standardise", True):
        dataset, steps = standardise(dataset), (*steps, *scripts.step_lines("standardise"))
    return *_bounded(dataset, steps), dict(options)


def _bounded(dataset: Dataset, steps: scripts.Lines) -> tuple[Dataset, scripts.Lines]:
    """Return all rows, or a seeded subsample where there are many."""
    if dataset.n <= DEFAULT_SUBSAMPLE:
        return dataset, steps
    most = inputs.number(
        "most", DEFAULT_SUBSAMPLE, max_value=min(dataset.n, Limits().subsample_above)
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
            _notes(source),
        )
        note = "There is only one feature; it is drawn along a line."
        steps = (*steps, *scripts.LINE_LINES)
        return Current(source, flat, Plane.of_two_features(), (note,), steps)
    words = " ".join(f"**{name}**: {text}." for name, text in WAYS.items())
    way = inputs.select("show", list(WAYS), help=words)
    st.caption(WAYS[way])
    if way == "slice":
        note = f"Fitted in all {source.d} features; the picture is the slice through their mean."
        return Current(source, source, principal_plane(source.X), (note,), steps)
    projected = fits.projection(source, way, 0).dataset
    # Cached by what is fitted: other data may have the same points.
    projected = replace(projected, annotations=_notes(source))
    notes = projected.provenance[-1:]
    steps = (*steps, *scripts.step_lines("project", way, 0, then=".dataset"))
    return Current(source, projected, Plane.of_two_features(), notes, steps)


def _notes(source: Dataset) -> Annotations | None:
    return None if source.annotations is None else source.annotations.without_features()
