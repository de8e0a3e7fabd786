"""The choice of data that all pages share, made in the sidebar and kept in the address."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import streamlit as st

from nestviz.data import SAMPLES, Dataset, Limits, Sample, principal_plane, standardise, subsample
from nestviz.data.annotations import Annotations
from nestviz.data.centres import COUNT, centred
from nestviz.data.densities import Density, sample_density
from nestviz.data.projection import Method
from nestviz.escaping import markdown
from nestviz.grids import Plane
from nestviz.ui.export import scripts
from nestviz.ui.results import centres, fits
from nestviz.ui.results.centres import ManyRows
from nestviz.ui.session.own_data import OwnData, own_data, own_data_missing
from nestviz.ui.session.view import name_in_address, view
from nestviz.ui.session.view_state import MINE
from nestviz.ui.widgets import inputs

KEY = "current_data"
"""Where the session keeps the data in use."""
DEFAULT = "banana"
DEFAULT_SUBSAMPLE = 1_500
"""More points than this become weighted centres, or a sample."""
MANY = {"centres": "all, as centres", "sample": "a sample"}
"""What many rows become."""
MAPS = {"tsne": "t-SNE", "umap": "UMAP"}
"""Ways to draw more than two features that take too long for all of many rows."""
WAYS: dict[Method | Literal["slice"], str] = {
    "pca": "Fit in the plane of two principal components",
    "tsne": "Fit in the plane of a t-SNE map",
    "umap": "Fit in the plane of a UMAP map",
    "slice": "Fit in full space, draw the slice",
}


@dataclass(frozen=True, eq=False)
class Current:
    """The data in use."""

    source: Dataset  # All features; where many rows are used as centres, means of their rows
    fitted: Dataset  # The training set: the source, or its projection, or weighted centres of it
    plane: Plane  # The plane of the pictures, in the space of ``fitted``
    notes: tuple[str, ...] = ()  # How data with one feature, or more than two, are drawn
    steps: scripts.Lines = ()  # Python lines that make ``fitted`` under the name ``data``
    own: Dataset | None = None  # The user's own data as uploaded, if they are in use
    density: Density | None = None  # That the points were drawn from, if it is known
    rows: ManyRows | None = None  # All rows, where weighted centres stand for them

    @property
    def measured(self) -> Dataset:
        """Points by which shares of points are measured: those in use, or a sample of all rows."""
        return self.fitted if self.rows is None else self.rows.sample

    @property
    def as_sample(self) -> Current:
        """The same with a sample of the rows themselves in the place of weighted centres."""
        if self.rows is None:
            return self
        return replace(self, source=self.rows.source_sample, fitted=self.rows.sample, rows=None)

    @property
    def plane_key(self) -> str:
        """The kind of the plane: "slice" through more than two features, or "plane"."""
        return "slice" if self.fitted.d > 2 else "plane"


def axis_names(data: Dataset) -> tuple[str, str]:
    """Return the names of the axes of the plane in which data are drawn."""
    names = data.feature_names if data.d == 2 else ("direction 1", "direction 2")
    return names[0], names[1]


def choose(default: str = DEFAULT, *, weighted: bool = False) -> Current | None:
    """Show the data controls; return the data chosen, or None for own data that are missing.

    ``default`` is the sample that the page shows where none was chosen, ``weighted`` says whether
    the page can use weighted centres of many rows. Long work is shown on the page itself.
    """
    with st.sidebar:
        st.header("Data", anchor=False)
        found = _chosen(default, weighted)
    if found is None:
        return None
    current, count = found
    return current if count is None else _centred(current, count)


def _chosen(default: str, weighted: bool) -> tuple[Current, int | None] | None:
    """Return the data chosen, and the number of centres that should stand for them, if any."""
    mine = own_data()
    name = _name(default)
    if name != MINE:
        sample = SAMPLES[name]
        data, steps, options = _sample(sample)
        density = sample_density(name, int(view().seed or 0), **options)
        current, count = _in_use(data, steps, weighted)
        return replace(current, density=density), count
    if mine is None:
        st.caption("Your own points are not in this tab.")
        return None
    st.caption(markdown(_origin(mine)))
    current, count = _in_use(mine.dataset, scripts.file_lines(mine.dataset), weighted)
    return replace(current, own=mine.dataset), count


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
    if sample.kind != "synthetic" and inputs.toggle("standardise", True):
        dataset, steps = standardise(dataset), (*steps, *scripts.step_lines("standardise"))
    return dataset, steps, dict(options)


def _in_use(dataset: Dataset, steps: scripts.Lines, weighted: bool) -> tuple[Current, int | None]:
    """Return the data in use, and the number of centres that should stand for many rows."""
    if dataset.n <= DEFAULT_SUBSAMPLE:
        return _drawn(dataset, steps, _way(dataset)), None
    count = _count(dataset, weighted)
    if count is None:
        dataset, steps = _sampled(dataset, steps)
        return _drawn(dataset, steps, _way(dataset)), None
    way = _way(dataset)
    if way in MAPS:
        st.caption(f"A {MAPS[way]} map is made of a sample.")
        return _drawn(*_sampled(dataset, steps), way), None
    return _drawn(dataset, steps, way), count


def _count(dataset: Dataset, weighted: bool) -> int | None:
    """Return the number of centres that should stand for all rows; None for a sample."""
    if not weighted:
        name_in_address("rows")
        name_in_address("centres")
        st.caption("This page measures single points: it uses a sample of the rows.")
        return None
    # Links from before there were centres name the size of a sample.
    usual = "centres" if view().most is None else "sample"
    if inputs.segments("rows", list(MANY), usual, format_func=MANY.__getitem__) == "sample":
        name_in_address("centres")
        return None
    name_in_address("most")
    count = int(inputs.number("centres", COUNT, max_value=dataset.n - 1))
    st.caption(f"All {dataset.n:,} rows are used.")
    return count


def _centred(current: Current, count: int) -> Current:
    """Return weighted centres of all rows in the place of the rows."""
    whole, rows = current.source, current.fitted
    found = centres.of(rows, count)
    few = centred(rows, found)
    same = whole is rows
    steps = current.steps
    if current.plane_key == "slice":
        steps = (*steps, *scripts.PLANE_LINES)
    return replace(
        current,
        source=few if same else centred(whole, found, found.means(whole.X)),
        fitted=few,
        steps=(*steps, "rows = data", *scripts.step_lines("weighted_centres", count, centres.SEED)),
        rows=ManyRows(whole, rows, found),
    )


def _sampled(dataset: Dataset, steps: scripts.Lines) -> tuple[Dataset, scripts.Lines]:
    """Return a seeded subsample."""
    most = inputs.number(
        "most", DEFAULT_SUBSAMPLE, max_value=min(dataset.n, Limits().subsample_above)
    )
    st.caption(f"{most:,} of {dataset.n:,} points are used.")
    steps = (*steps, *scripts.step_lines("subsample", int(most), 0))
    return subsample(dataset, int(most), 0), steps


def _way(source: Dataset) -> Method | Literal["slice"]:
    """Show how more than two features are fitted and drawn."""
    if source.d <= 2:
        return "slice"
    words = " ".join(f"**{name}**: {text}." for name, text in WAYS.items())
    way = inputs.select("show", list(WAYS), help=words)
    st.caption(WAYS[way])
    return way


def _drawn(source: Dataset, steps: scripts.Lines, way: Method | Literal["slice"]) -> Current:
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
