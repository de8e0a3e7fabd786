"""The Theory page: short chapters, each with a few formulas and an interactive example."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nestviz.ui.page_frame import heading, page_text
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.pages.theory import nu
from nestviz.ui.player.player import scene_player
from nestviz.ui.scene.scene import Part, Scene
from nestviz.ui.session.view import change
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart

MINIATURE = "<!-- miniature -->"
"""The location of the example in the text of a chapter."""
PARTS: tuple[Part, ...] = ("legend", "readout")
AMBIGUOUS = 38
"""A point that enters, leaves, and enters again."""


@dataclass(frozen=True)
class Chapter:
    """One chapter: its heading, the name of its text, and its example."""

    title: str
    file: str
    show: Callable[[], None]


def render() -> None:
    """Render the page: the chapter chosen by the reader or the link."""
    heading("Theory", "theory")
    name = inputs.segments("chapter", list(CHAPTERS), draw=st.pills)
    chapter = CHAPTERS[name]
    before, after = page_text("theory", chapter.file).split(MINIATURE)
    st.header(chapter.title, anchor=False)
    st.markdown(before)
    with st.container(border=True):
        chapter.show()
    st.markdown(after)
    names = list(CHAPTERS)
    place = names.index(name)
    left, right = st.columns(2)
    if place > 0:
        _link(left, names[place - 1], ":material/arrow_back:", "theory.back")
    if place + 1 < len(names):
        _link(right, names[place + 1], ":material/arrow_forward:", "theory.on")


def _link(column: Any, name: str, icon: str, key: str) -> None:
    column.button(
        CHAPTERS[name].title,
        key=key,
        icon=icon,
        on_click=lambda: change(chapter=name),
        width="stretch",
    )


def _play(content: Scene, name: str) -> None:
    """Show a player that needs no server."""
    scene_player(content, key=f"theory-{name}", height=340, show=PARTS, report=False)


def _problems() -> None:
    which = st.segmented_control(
        "Problem",
        ["One class", "Two classes"],
        default="One class",
        required=True,
        key="problem_mini",
        help="Eq. (5) over the level λ, or eq. (2) over the cost asymmetry.",
    )
    two_classes = which == "Two classes"
    _play(mini.problem(two_classes), "problem-2" if two_classes else "problem")
    st.caption(
        "Forty points, each as large as its coefficient α. Move the level: coefficients leave "
        "their bounds one after the other, and the set follows."
    )


def _constraints() -> None:
    from nestviz.figures.theory import chain_figure, falling

    count = st.slider(
        "Levels M", 2, 21, 9, key="theory_levels", help="The number of levels of the chain."
    )
    panels = mini.chains(count)
    broken = [int(falling(levels, alpha).any(axis=0).sum()) for _, levels, alpha in panels]
    alt = "Coefficients divided by their level: some fall where levels are solved one by one"
    chart(chain_figure(panels), "chain", 360, alt)
    st.caption(
        f"One line per point, from high levels to low ones. Solved one by one, {broken[0]} of 40 "
        f"points have a ratio that falls somewhere; solved together, {broken[1] or 'none'}."
    )


def _interpolation() -> None:
    _play(mini.between(), "between")
    st.caption(
        "The thin outlines are the sets at λ₁ and λ₂, two neighbouring levels of a nested "
        "one-class SVM. Move the level from one to the other: the set stays between them."
    )


def _kernel() -> None:
    name = st.selectbox(
        "Kernel",
        list(mini.KERNELS),
        key="theory_kernel",
        help="The coefficients satisfy the constraints (8) and (9) with each of them.",
    )
    _play(mini.kernel_sets(name), f"kernel-{list(mini.KERNELS).index(name)}")
    if mini.KERNELS[name].nonnegative:
        st.caption("This kernel is never negative: the sets are nested.")
    else:
        st.caption(
            "This kernel can be negative: the constraints hold, and yet locations that were "
            "inside are outside later. The nested estimators reject it."
        )


def _union() -> None:
    _play(mini.union(), "union")
    st.caption(
        "Left, striped: regions that a smaller set contained and this one does not. On the right "
        "they are kept."
    )


def _volume() -> None:
    from nestviz.figures.bandwidth import integrated_volume_figure, mass_volume_figure

    found = mini.bandwidths()
    names = [f"{sigma:.2f}" for sigma in found.sigmas]
    chosen = st.select_slider(
        "Width σ", names, value=names[2], key="theory_sigma", help="The width whose curve is drawn."
    )
    place = names.index(chosen)
    best = f"least integrated volume, σ = {names[found.best]}"
    curves = {f"σ = {chosen}": found.curves[place], best: found.curves[found.best]}
    left, right = st.columns(2)
    with left:
        alt = "Volume of the sets over the mass that they hold, for two widths"
        chart(mass_volume_figure(curves), "theory_curve", 330, alt)
    with right:
        figure = integrated_volume_figure(found, {"drawn": float(found.sigmas[place])})
        alt = "Integrated volume over the width of the kernel, with its least value marked"
        chart(figure, "theory_volumes", 330, alt)
    st.caption(
        f"Sixty points in three clusters, masses by five-fold cross-validation. The area under the "
        f"curve is {found.values[place]:.1f} at σ = {chosen} and {found.values[found.best]:.1f} "
        "where it is least."
    )


def _rankings() -> None:
    from nestviz.analysis.ranking import ranking_scores
    from nestviz.figures.ranking import ranking_figure

    small = mini.tiny()
    families = {"one-class SVM": small.path.family_, "nested one-class SVM": small.nested.family_}
    left, right = st.columns(2)
    name = left.segmented_control(
        "Method",
        list(families),
        default="one-class SVM",
        required=True,
        key="theory_method",
        help="The method whose sets rank the points.",
    )
    scores = ranking_scores(families[name], small.fresh)
    most = len(small.fresh) - 1
    row = right.slider("Point", 0, most, AMBIGUOUS, key="theory_point", help="Which of the points.")
    chart(ranking_figure(scores), "theory_ranking", 360, "The score s− against s+")
    inside = families[name].intervals(small.fresh[[row]])
    spans = [f"{a:.3g} to {b:.3g}" for a, b in zip(inside.lower, inside.upper, strict=True)]
    st.caption(
        f"Sixty new points, ranking disagreement d = {scores.disagreement:.0%}. "
        + (
            f"Point {row} is inside for λ from {' and from '.join(spans[::-1])}: "
            f"s+ = {scores.s_plus[row]:.3g}, s− = {scores.s_minus[row]:.3g}."
            if spans
            else f"Point {row} is in none of the sets: both of its scores are −∞."
        )
    )


def _path() -> None:
    from nestviz.analysis.level_sweep import outline
    from nestviz.figures.solution_path import path_figure, sets_figure

    small = mini.tiny()
    share = st.slider(
        "Level, as a share of λ₀", 0.02, 1.0, 0.4, 0.02, key="theory_at",
        help="Moves the dashed line, and the margin beside it.",
    )  # fmt: skip
    level, levels = share * small.top, np.linspace(1e-6, 1.0, 400) * small.top
    path = small.path
    left, right = st.columns(2)
    with left:
        panel = [(f"{path.breakpoints_.size} breakpoints", levels, path.coefficients(levels))]
        figure = path_figure(panel, "level λ", level, path.breakpoints_)
        alt = "Coefficients of forty points along the level, straight between breakpoints"
        chart(figure, "theory_path", 360, alt)
    field = path.family_.values(small.grid, level).reshape(small.grid.shape)
    codes = path.sets(level)
    with right:
        figure = sets_figure(small.X, codes, outline(field, small.grid), ("", ""))
        alt = "Points by the set they are in at this level, and the boundary"
        chart(figure, "theory_sets", 360, alt)
    counts = [int(np.count_nonzero(codes == code)) for code in (0, 1, 2)]
    st.caption(
        f"At λ = {level:.3g}: {counts[0]} points in 𝓛 (outside the set), {counts[1]} in 𝓔 (on its "
        f"boundary), {counts[2]} in 𝓡 (inside it)."
    )


def _certificates() -> None:
    from nestviz.figures.theory import certificate_figure

    found = mini.spoiled()
    share = st.slider(
        "Perturb the solution by", 0.02, 1.0, 0.3, 0.02, key="theory_spoil",
        help="Mixes the optimal coefficients with the initial ones of the solver.",
    )  # fmt: skip
    place = int(np.abs(found.shares - share).argmin())
    figure = certificate_figure(found.shares, found.gaps, found.errors, share)
    alt = "The duality gap lies above the true error, however much the solution was perturbed"
    chart(figure, "theory_gap", 340, alt)
    st.caption(
        f"The certificate guarantees an error of at most {found.gaps[place]:.1%}; the true error "
        f"is {found.errors[place]:.1%}. Before it was perturbed, the solution had a gap of "
        f"{found.best:.0e}."
    )


CHAPTERS = {
    "Problems": Chapter("The two problems", "problems", _problems),
    "Constraints": Chapter("The nesting constraints", "constraints", _constraints),
    "Interpolation": Chapter("Between the levels", "interpolation", _interpolation),
    "Kernel": Chapter("Why the kernel must not be negative", "kernel", _kernel),
    "Union": Chapter("The union heuristic", "union", _union),
    "Volume": Chapter("Choosing σ by least volume", "volume", _volume),
    "Rankings": Chapter("Two rankings", "rankings", _rankings),
    "Path": Chapter("The path and its breakpoints", "path", _path),
    "ν": Chapter("What ν guarantees", "nu", nu.show),
    "Certificates": Chapter("Certificates", "certificates", _certificates),
}
"""Chapters by their names in links."""
