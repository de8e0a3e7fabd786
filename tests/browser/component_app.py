"""A small app that shows one component at a time, for the browser tests beside it.

The address picks the case, such as ``?case=painter``; `CASES` lists them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from component_scenes import VIEW, pair, plain

from nestviz.ui.components.branches import Branch, BranchesData, branches
from nestviz.ui.components.painter import point_painter
from nestviz.ui.components.plane import Area, Kind, PlaneData, Thread, plane
from nestviz.ui.player.player import PlayerState, Reports, scene_player
from nestviz.ui.scene.scene import Scene


def circle(radius: float, vertices: int) -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, vertices, endpoint=False)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def tell(state: PlayerState) -> None:
    st.text(f"frame {state.position:g}, level {state.level:.4f}")
    st.session_state.runs = st.session_state.get("runs", 0) + 1
    st.text(f"runs {st.session_state.runs}")


def player_page(scene: Callable[[int], Scene]) -> None:
    stops = 40 if st.checkbox("More levels") else 20
    if st.checkbox("Leave the page"):
        st.text("elsewhere")
    else:
        tell(scene_player(scene(stops), key="sweep", height=380))


def marks_page() -> None:
    """A page that marks points."""
    marked = st.session_state.setdefault("marked", [1])
    if st.button("Mark two"):
        marked[:] = [2, 3]

    def mark(rows: Sequence[int]) -> None:
        st.session_state.marked = list(rows)

    state = scene_player(
        scene_of_marks(), key="sweep", height=380, marked=st.session_state.marked,
        reports=Reports(on_points=mark),
    )  # fmt: skip
    tell(state)
    st.text(f"marked {st.session_state.marked}, shown {' '.join(state.shown)}")
    st.text(
        "nothing pinned" if state.probe is None else "pinned {:.3f} {:.3f}".format(*state.probe)
    )


@st.cache_resource
def scene_of_marks() -> Scene:
    return replace(pair(20), shown=("outline", "fill"))


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
    "sizes": lambda: player_page(plain),
    "autoplay": lambda: player_page(lambda stops: plain(stops, autoplay=True)),
    "single": lambda: player_page(lambda _: plain(1)),
    "marks": marks_page,
    "painter": painter_page,
    "plane": plane_page,
    "tree": tree_page,
}

st.set_page_config(layout="wide")
CASES[st.query_params.get("case", "pair")]()
