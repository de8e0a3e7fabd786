"""The Quantiles page: sets of given mass by several methods, in one player over the quantile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.data import Dataset
from nestviz.grids import Grid
from nestviz.ui.compute import quantiles
from nestviz.ui.compute.quantiles import METHODS, Plan, Solved
from nestviz.ui.data_choice import AT_ONCE, Current
from nestviz.ui.pages.cluster_tree.pictures import axis_names
from nestviz.ui.panels import fit_controls, sweep
from nestviz.ui.player.data import Panel, SweepData
from nestviz.ui.player.player import PlayerState
from nestviz.ui.results import fits, jobs
from nestviz.ui.results.cache import keep
from nestviz.ui.session.view import arrival, stop_page
from nestviz.ui.widgets import inputs

KEY = "quantiles"
AT = "quantiles:at"
"""Where the session keeps the quantile last looked at, after the number of the visit."""
AT_FIRST = ("q-OCSVM", "independent", "greedy", "nested")
START = 0.8
"""Sets of large quantiles are where the methods differ most."""
FEWEST_HELD_OUT = 30
"""Below this, coverage is mostly chance."""
HEIGHTS = {1: 430, 2: 430, 3: 330}
LOW = 245
SLOW, FAST = 3.0, 12.0
"""Frames a second: a handful of sets, or a smooth walk."""


@dataclass(frozen=True)
class Choice:
    """What the controls of the page say."""

    names: tuple[str, ...]
    plan: Plan


@dataclass(frozen=True, eq=False)
class Shown:
    """What the player was given, and where it rests."""

    solved: tuple[Solved, ...]
    state: PlayerState
    content: SweepData

    @property
    def quantile(self) -> float:
        """The quantile at rest."""
        return self.state.level


def controls(current: Current) -> Choice:
    """The controls above the picture; stops the page where no method is chosen."""
    if current.fitted.n < 2:
        st.info(
            "There is a single point, which cannot be both trained on and held out. Add "
            "points on the Data page, or choose a sample.",
            icon=":material/group_add:",
        )
        stop_page()
    names = inputs.several(
        "qmethods",
        "Methods",
        list(METHODS),
        AT_FIRST,
        help="One picture for each. "
        + " ".join(f"**{method.title}**: {method.sentence}" for method in METHODS.values()),
    )
    if not names:
        st.info("Choose at least one method above.", icon=":material/arrow_upward:")
        stop_page()
    left, middle, right = st.columns(3, gap="medium")
    with left:
        sigma = fit_controls.width(current)
    with middle:
        count, low, high = _quantiles()
    with right:
        share, seed = _held_out(current)
        with st.popover("Frames and levels", icon=":material/tune:"):
            dense = _frames()
            levels = fit_controls.levels(11, "Levels of the nested SVM")
    return Choice(tuple(names), Plan(sigma, count, low, high, share, seed, levels, dense))


def _quantiles() -> tuple[int, float, float]:
    count = inputs.slider(
        "qcount",
        "Quantiles",
        10,
        help="How many sets each method makes, evenly spaced over the range below.",
    )
    low, high = inputs.slider(
        "qrange",
        "From … to",
        (5, 95),
        format="%d %%",
        help="The smallest and the largest quantile: the share of the points that the smallest and "
        "the largest set should hold.",
    )
    return count, low / 100, high / 100


def _held_out(current: Current) -> tuple[float, int]:
    n = current.fitted.n
    left, right = st.columns([3, 2], gap="small")
    with left:
        percent = inputs.slider(
            "held",
            "Held out",
            50,
            step=5,
            format="%d %%",
            help="Share of the points that no method is fitted to. They show how much each set "
            "really holds.",
        )
    with right:
        seed = inputs.number(
            "split",
            "Split seed",
            0,
            help="Another number holds out other points; the same number the same ones.",
        )
    held = quantiles.held_out_count(percent / 100, n)
    st.caption(f"{n - held:,} training points, {held:,} held out.")
    return percent / 100, int(seed)


def _frames() -> bool:
    value = inputs.segments(
        "qframes",
        "Frames",
        ["smooth", "quantiles"],
        "smooth",
        help="Smooth: the sets between two quantiles too, whose coefficients and offset are "
        "interpolated. Quantiles: only the sets that were solved for.",
    )
    return value == "smooth"


def solve(current: Current, choice: Choice) -> tuple[Solved, ...]:
    """The sets of every method; in a worker where there are many points."""
    data = current.fitted
    grid = fits.grid(data, current.plane)
    return tuple(_solved(current, name, choice.plan, grid) for name in choice.names)


def _solved(current: Current, name: str, plan: Plan, grid: Grid) -> Solved:
    data, method, long = current.fitted, METHODS[name], current.fitted.n > AT_ONCE
    fitted = jobs.run(
        (data, name, plan.problem(method)),
        quantiles.fit,
        name,
        plan,
        data.X,
        title=f"Solving: {method.title}",
        long=long,
    )
    return jobs.run(
        (data, current.plane, name, plan),
        quantiles.draw,
        fitted,
        name,
        plan,
        data.X,
        grid,
        title=f"Drawing: {method.title}",
        long=long,
        spinner="Drawing …",
    )


def show(current: Current, choice: Choice, solved: tuple[Solved, ...]) -> Shown:
    """All methods in one player, with crossing regions hatched and crossing points hollow."""
    data, plan = current.fitted, choice.plan
    # Walks of different lengths are players of their own: a frame number means nothing to another.
    name = f"{KEY}-{plan.frames.size}"
    start = _start(plan, name)
    layers = sweep.asked_layers()
    key = ("quantile player", data, current.plane, choice, start, layers)
    content = keep(key, lambda: _content(current, choice, solved, start, layers))
    state = sweep.play(current, content, name, HEIGHTS.get(len(solved), LOW))
    st.session_state[AT] = arrival().number, state.level
    return Shown(solved, state, content)


def _start(plan: Plan, name: str) -> int:
    """The frame a player begins with: what the link asks for, or the quantile last looked at."""
    memory, frames = f"{name}:start", plan.frames
    asked = sweep.asked_frame(frames.size)
    visit, at = st.session_state.get(AT, (None, None))
    if asked is not None and visit != arrival().number:
        st.session_state[memory] = asked
    elif memory not in st.session_state:
        nearest = plan.quantiles[np.abs(plan.quantiles - START).argmin()]
        st.session_state[memory] = int(np.abs(frames - (nearest if at is None else at)).argmin())
    start: int = st.session_state[memory]
    return start


def _content(
    current: Current,
    choice: Choice,
    solved: Sequence[Solved],
    start: int,
    layers: tuple[sweep.Layer, ...],
) -> SweepData:
    data, plan = current.fitted, choice.plan
    grid = fits.grid(data, current.plane)
    held = np.zeros(data.n, dtype=np.uint8)
    held[plan.parts(data.n)[1]] = 1
    frames = plan.frames
    titles = ", ".join(one.title for one in solved)
    return SweepData(
        panels=[_panel(one, data, grid, held) for one in solved],
        levels=tuple(frames.tolist()),
        labels=[f"{alpha:.3f}" for alpha in frames],
        captions=[_caption(solved, k) for k in range(frames.size)],
        level_name="quantile α",
        view=grid.inner_box,
        axis_names=axis_names(current),
        class_names=("training", "held out"),
        set_name="inside",
        overlay_name="in a smaller set, not in this one",
        flag_name="where sets cross",
        shown=layers,
        alt=f"{titles} of {data.n} points over the quantile, one set per frame.",
        start=start,
        ghost_every=max(frames.size // 10, 1),
        frames_per_second=FAST if plan.dense else SLOW,
    )


def _panel(one: Solved, data: Dataset, grid: Grid, held: np.ndarray) -> Panel:
    return Panel(
        one.title,
        grid.plane.coordinates(data.X),
        held,
        one.walk.outlines,
        overlay=one.walk.broken,
        texts=[words_of(one, row, bool(held[row])) for row in range(data.n)],
        flags=None if one.family.is_nested else one.sets.crossing_points,
    )


def words_of(one: Solved, row: int, held_out: bool) -> str:
    """When a point enters, in words."""
    first, count = float(one.scan.first[row]), int(one.scan.counts[row])
    part = "held out; " if held_out else ""
    if not np.isfinite(first):
        return f"{part}outside, or on the boundary, at every quantile"
    again = ""
    if one.scan.violated[row]:
        again = f", in {count} separate intervals" if count > 1 else ", but leaves again"
    return f"{part}inside from quantile {first:.3g} on{again}"


def _caption(solved: Sequence[Solved], frame: int) -> str:
    """What each set holds, of the points learned from and of the others."""
    parts = []
    for one in solved:
        broken = one.walk.broken_share[frame]
        left = f", {broken:.1%} of the picture violated" if broken > 0 else ""
        inside, held_out = one.walk.inside[frame], one.held_out[frame]
        parts.append(f"{one.title}: {inside:.0%} inside, {held_out:.0%} of the held out{left}")
    return "; ".join(parts)


def sense(current: Current, choice: Choice) -> list[str]:
    """Reasons why coverage may mean little here, each with a way out."""
    training, held_out = choice.plan.parts(current.fitted.n)
    found = []
    if held_out.size < FEWEST_HELD_OUT:
        found.append(
            f"Only {held_out.size} points are held out: how many of them a set holds is mostly "
            "chance, as the sampling error shows. Hold out a larger share, or choose more data."
        )
    spread = np.diff(choice.plan.quantiles)
    if training.size * spread.min(initial=1.0) < 1.0:
        found.append(
            f"The quantiles are closer to each other than one of the {training.size} points to "
            "learn from: neighbouring sets cannot differ by a point. Choose fewer quantiles or a "
            "wider range."
        )
    return found
