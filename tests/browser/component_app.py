"""A small app that shows one component at a time, for the browser tests beside it.

The address picks the case, such as ``?case=painter``; `CASES` lists them.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import streamlit as st

from nestviz.ui.components.branches import Branch, BranchesData, branches
from nestviz.ui.components.painter import point_painter
from nestviz.ui.components.plane import Area, Kind, PlaneData, Thread, plane
from nestviz.ui.player.player import PlayerState, sweep_player
from nestviz.ui.player.protocol import Panel, Rings, SweepData

VIEW = (-2.0, 2.0, -1.5, 1.5)
FOCI = np.array([(-1.0, 0.0), (1.0, 0.0)])


def cassini(b: float, vertices: int) -> Rings:
    """Return the outline of the points whose distances to the foci multiply to at most b²."""
    turns = 1 if b < 1 else 2
    angle = np.linspace(0, 2 * np.pi * turns, vertices, endpoint=False)
    square = 1 + b * b * np.exp(1j * angle)
    root = np.sqrt(np.abs(square)) * np.exp(0.5j * np.unwrap(np.angle(square)))
    ring = np.column_stack([root.real, root.imag])
    return (ring,) if b >= 1 else (ring, -ring)


def circle(radius: float, vertices: int) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    classes = np.arange(n) % 2
    return FOCI[classes] + 0.35 * rng.standard_normal((n, 2)), classes


def pair(frames: int, vertices: int = 400, n: int = 300) -> SweepData:
    """Two panels: ovals that join and split, and a ring with a hatched core."""
    b = np.linspace(0.35, 1.35, frames)
    points, classes = sample(n)
    points[0] = FOCI[0]  # a point whose position on the canvas the tests can compute
    rings = [(circle(0.4 + 0.9 * t, vertices), circle(0.3 * t + 0.01, 60)) for t in b / 1.35]
    cores = [(circle(0.3 * t + 0.01, 60),) for t in b / 1.35]
    texts = [f"row {i} <b>of the file</b>" for i in range(n)]
    products = np.prod(np.linalg.norm(points[:, None] - FOCI, axis=2), axis=1)
    outside = [np.mean(products > x * x) for x in b]
    return SweepData(
        panels=(
            Panel("One-class SVM", points, classes, [cassini(x, vertices) for x in b], texts=texts),
            Panel("Nested one-class SVM", points, classes, rings, overlay=cores),
        ),
        levels=tuple(b),
        labels=[f"{x:.3f}" for x in b],
        captions=[f"{share:.0%} of the points outside" for share in outside],
        level_name="level λ",
        view=VIEW,
        alt="Two families of sets over 300 points",
        axis_names=("first feature", "second feature"),
        class_names=("class +1", "class −1 <img src=x onerror=alert(1)>"),
        overlay_name="leaves and comes back",
        start=6,
        ghost_every=4,
    )


def plain(frames: int, *, sizes: bool = False, autoplay: bool = False) -> SweepData:
    """One panel, one class."""
    b = np.linspace(0.35, 1.35, frames)
    points, classes = sample(60)
    grown = np.linspace(0, 1, frames)[:, None] * np.ones(60)
    return SweepData(
        panels=(
            Panel(
                "Level sets", points, 0 * classes, [cassini(x, 200) for x in b],
                marker_sizes=grown if sizes else None,
            ),
        ),
        levels=tuple(b),
        labels=[f"{x:.2f}" for x in b],
        captions=["" for _ in b],
        level_name="level",
        view=VIEW,
        alt="Ovals",
        autoplay=autoplay,
        keep_aspect=True,
        loop="wrap",
    )  # fmt: skip


def tell(state: PlayerState) -> None:
    st.text(f"frame {state.frame}, level {state.level:.4f}")
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    st.text(f"runs {st.session_state.runs}")


def player_page(sweep: Callable[[int], SweepData]) -> None:
    frames = 40 if st.checkbox("More levels") else 20
    if st.checkbox("Leave the page"):
        st.text("elsewhere")
    else:
        tell(sweep_player(sweep(frames), key="sweep", height=380))


def marks_page() -> None:
    """A page that marks points."""
    marked = st.session_state.setdefault("marked", [1])
    if st.button("Mark two"):
        marked[:] = [2, 3]

    def mark(row: int) -> None:
        st.session_state.marked = [row]

    state = sweep_player(
        sweep_of_marks(), key="sweep", height=380, marked=st.session_state.marked, on_point=mark
    )
    tell(state)
    st.text(f"marked {st.session_state.marked}, shown {' '.join(state.shown)}")


@st.cache_resource
def sweep_of_marks() -> SweepData:
    return replace(pair(20), shown=("outline", "fill"))


def speed_page() -> None:
    sweep_player(pair(60, vertices=1000, n=1000), key="speed", height=460)


def painter_page() -> None:
    if "points" not in st.session_state:
        st.session_state.points = ((0.0, 0.0, 1),)
    if st.button("Set three points"):
        st.session_state.points = ((-0.5, 0.0, 1), (0.5, 0.0, -1), (0.5, 0.5, -1))
    if st.checkbox("Leave the page"):
        st.text("elsewhere")
        return
    drawn = point_painter(st.session_state.points, key="paint", height=360, max_points=40)
    st.session_state.points = drawn
    st.text(f"total {len(drawn)}, plus {sum(kind > 0 for _, _, kind in drawn)}")
    if drawn:
        st.text("last {:.3f} {:.3f} {}".format(*drawn[-1]))


def plane_page() -> None:
    """Five points, the first two of a quiet kind; the switch decides what empty clicks mean."""
    points = np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.5, 1.2)])
    state = st.session_state
    content = PlaneData(
        points, VIEW, [Kind("quiet <b>", -1, "cross"), Kind("loud", 0, "circle")],
        np.array([0, 0, 1, 1, 1]), "Plane", "Five points", title="Title",
        areas=[Area([circle(0.5, 40)], 1, dashed=True)], chosen=state.get("rows", []),
        notes=["", "", "a note", "", ""], threads=[Thread(points[0], points[1], 0.5)],
        labels=[(4, "7")], spot=state.get("spot"),
    )  # fmt: skip

    def pick(rows: list[int]) -> None:
        state.rows = rows

    def put(x: float, y: float) -> None:
        state.spot = (x, y)

    anywhere = st.checkbox("Locations")
    plane(content, key="plane", on_rows=pick, on_place=put if anywhere else None)
    st.text(f"rows {state.get('rows')}")
    if "spot" in state:
        st.text("spot {:.2f} {:.2f}".format(*state.spot))


def tree_page() -> None:
    """A root that splits into two branches at height 1, and an extrapolated line below it."""

    def block(left: float, right: float, low: float, high: float) -> np.ndarray:
        return np.array([(left, low), (left, high), (right, high), (right, low), (left, low)])

    state = st.session_state
    stem = np.array([(0.5, 0.0), (0.5, 0.4), (np.nan, np.nan)])
    content = BranchesData(
        [
            Branch(stem, 0.5, -1, "", "extrapolated", extrapolated=True),
            Branch(block(0.1, 0.9, 0.4, 1.0), 0.5, -1, "", "the root"),
            Branch(block(0.1, 0.4, 1.0, 2.0), 0.25, 0, "A", "left"),
            Branch(block(0.5, 0.9, 1.0, 1.6), 0.7, 1, "B", "right <b>"),
        ],
        (0.0, 2.2), "height", [(0.4, 1.0, 1), (1.0, 1.6, 2), (1.6, 2.0, 1)],
        state.get("cut", 1.8), "Tree", "A tree", chosen=state.get("chosen", []), base=0.4,
        note="not to scale",
    )  # fmt: skip

    def pick(branch: int | None) -> None:
        state.chosen = [] if branch is None else [branch]

    def cut(height: float) -> None:
        state.cut = height

    branches(content, key="tree", on_branch=pick, on_cut=cut)
    st.text(f"chosen {state.get('chosen')}, cut {state.get('cut', 1.8):.2f}")


CASES: dict[str, Callable[[], None]] = {
    "pair": lambda: player_page(pair),
    "sizes": lambda: player_page(lambda frames: plain(frames, sizes=True)),
    "autoplay": lambda: player_page(lambda frames: plain(frames, autoplay=True)),
    "single": lambda: player_page(lambda _: plain(1)),
    "speed": speed_page,
    "marks": marks_page,
    "painter": painter_page,
    "plane": plane_page,
    "tree": tree_page,
}

st.set_page_config(layout="wide")
CASES[st.query_params.get("case", "pair")]()
