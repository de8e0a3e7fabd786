"""Vector quantisation: discs of radius R around a few code vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from nestviz.estimators.vector_quantizer import KernelVectorQuantizer
from nestviz.ui import data_warnings
from nestviz.ui.components.plane import Area, Kind, PlaneData, plane
from nestviz.ui.compute import code_books
from nestviz.ui.compute.code_books import Sizes
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.export import panel, scripts
from nestviz.ui.pages.variants.numbers import FOLDER
from nestviz.ui.pages.variants.text import explain
from nestviz.ui.panels.exports import points_columns
from nestviz.ui.panels.fit_controls import data_note
from nestviz.ui.results import fits, jobs
from nestviz.ui.scene.view_box import shown_box
from nestviz.ui.session.selection import select, selection
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics

SHARE = 0.3
"""The radius shown first, as a share of the median distance."""
SHARES = np.geomspace(0.05, 1.5, 14)
"""The radii of the curve."""
LONG, LONG_EXACT = 300, 100
"""With more points than this, worker processes solve the linear programs, or search."""
NODES = 500
"""Nodes of the search for a smallest code book: a few seconds for some hundred points."""
VERTICES = 48


def show(current: Current) -> None:
    """Show the code book of a radius, and sizes over the radius."""
    data, unit = current.fitted, fits.median_distance(current.fitted)
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with left:
        share = inputs.knob("radius", SHARE, log=True, unit=unit, marks=((1.0, "median distance"),))
    with right:
        exact = inputs.toggle("smallest")
    radius = share * unit
    book = jobs.run(
        (data, radius, exact),
        code_books.code_book,
        data.X,
        radius,
        exact,
        NODES,
        title="Searching a smallest code book" if exact else "Solving the linear program",
        long=data.n > (LONG_EXACT if exact else LONG),
    )
    pictures = st.columns(2, gap="medium")
    with pictures[0]:
        plane(
            _content(current, book),
            key="code-book",
            on_rows=lambda rows: select(data, rows),
            height=430,
        )
    data_note(current)
    data_warnings.show(current)
    _numbers(book)
    explain("code_book")
    with pictures[1]:
        sizes = _sizes(current, unit)
        figure = _sizes_figure(sizes, radius)
        alt = (
            f"The number of code vectors falls from {sizes.sizes[0]} at R = {sizes.radii[0]:.3g} "
            f"to {sizes.sizes[-1]} at R = {sizes.radii[-1]:.3g}, close to its lower bound; at R = "
            f"{radius:.3g} it is {len(book.support_)}"
        )
        chart(figure, "code_book_sizes", 430, alt)
    _exports(current, book, sizes)


def _sizes(current: Current, unit: float) -> Sizes:
    data = current.fitted
    return jobs.run(
        (data, "code book sizes"),
        code_books.sizes,
        data.X,
        SHARES * unit,
        title="Counting code vectors over the radius",
        partial=True,
        long=data.n > LONG,
    )


def _sizes_figure(sizes: Sizes, radius: float) -> Any:
    from nestviz.figures.code_books import code_book_sizes_figure

    return code_book_sizes_figure(*sizes, radius)


def _content(current: Current, book: KernelVectorQuantizer) -> PlaneData:
    data, rows = current.fitted, book.support_
    points = current.plane.coordinates(data.X)
    kinds = np.zeros(data.n, dtype=np.int64)
    kinds[rows] = 1
    turn = np.linspace(0.0, 2.0 * np.pi, VERTICES, endpoint=False)
    circle = book.radius_ * np.column_stack([np.cos(turn), np.sin(turn)])
    # In more dimensions a ball cuts the plane of the picture in a smaller disc, or not at all.
    discs = [Area([points[row] + circle], 0) for row in rows] if data.d == 2 else []
    drawn = f", with a disc of radius {book.radius_:.3g} around each" if discs else ""
    return PlaneData(
        points=points,
        view=shown_box(fits.grid(data, current.plane).inner_box),
        kinds=[Kind("point", -1, "circle"), Kind("code vector", 1, "diamond")],
        kind_of=kinds,
        notes=[f"nearest code vector: point {rows[label]}" for label in book.labels_],
        areas=discs,
        chosen=selection(data).points,
        axis_names=axis_names(data),
        title="" if discs else "Balls in more than two dimensions are not drawn",
        name="Code book",
        alt=f"{data.n} points and {len(rows)} code vectors among them{drawn}; every point is "
        "within that distance of one.",
    )


def _numbers(book: KernelVectorQuantizer) -> None:
    values = {
        "size": f"{len(book.support_):,}",
        "bound": f"{book.lower_bound_:,}",
        "covering": f"{book.covering_radius_:.4g}",
    }
    metrics(FOLDER, values, compact=True)
    more = (
        "No code book is smaller."
        if not book.gap_
        else f"A code book may have {book.gap_} fewer at most."
    )
    st.caption(f"R = {book.radius_:.4g}. {more}")


def _exports(current: Current, book: KernelVectorQuantizer, sizes: Sizes) -> None:
    from nestviz.figures.code_books import code_book_figure

    points = current.plane.coordinates(current.fitted.X)
    flat = current.fitted.d == 2
    discs = {"Code book": lambda: code_book_figure(points, book.support_, book.radius_)}
    panel.show(
        current,
        name="variants",
        code=scripts.script(current, *_lines(current, book)),
        figures={
            **(discs if flat else {}),
            "Code vectors over the radius": lambda: _sizes_figure(sizes, book.radius_),
        },
        tables={
            "points": lambda: _points_table(current, book),
            "sizes": lambda: pd.DataFrame(
                {"radius": sizes.radii, "code vectors": sizes.sizes, "at least": sizes.bounds}
            ),
        },
    )


def _points_table(current: Current, book: KernelVectorQuantizer) -> pd.DataFrame:
    """Return one row per point: its features, its code vector and the distance from it."""
    nearest = book.transform(current.fitted.X).min(axis=1)
    columns = {"code vector": book.support_[book.labels_], "distance": nearest}
    return pd.DataFrame(points_columns(current) | columns)


def _lines(current: Current, book: KernelVectorQuantizer) -> scripts.Lines:
    exact = f", exact=True, max_nodes={book.max_nodes}" if book.exact else ""
    figure: scripts.Lines = (
        "from nestviz.figures import code_book_figure",
        "figure = code_book_figure(data.X, book.support_, book.radius_)",
        'figure.write_html("code-book.html")',
    )
    return (
        "from nestviz import KernelVectorQuantizer",
        f"book = KernelVectorQuantizer({book.radius_!r}{exact}).fit(data.X)",
        "print(len(book.support_), book.lower_bound_, book.covering_radius_)",
        *(figure if current.fitted.d == 2 else ()),
    )
