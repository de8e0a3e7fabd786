"""What the sweep player shows: a sweep through a family of sets, in one or more panels.

Data that do not fit together are refused with a sentence that says what is wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nestviz.ui.components.view_box import check_view

MAX_CLASSES = 7
"""The number of marker shapes and colours that can be distinguished."""

Rings = tuple[NDArray[np.float64], ...]
"""Closed curves bounding one set, each ``(vertices, 2)``; a point is inside where an odd
number of rings surrounds it, so a hole is simply a further ring."""

Loop = Literal["bounce", "wrap"]
Layer = Literal["levels", "outline", "fill", "overlay", "sizes"]
"""What the user can switch on and off: outlines of all levels, the boundary of the present one,
its filled area, the hatched areas, coefficients as the size of markers."""
LAYERS: tuple[Layer, ...] = get_args(Layer)
Part = Literal["legend", "readout", "speed", "loop"] | Layer
PARTS: tuple[Part, ...] = ("legend", "readout", "speed", "loop", *LAYERS)


@dataclass(frozen=True, eq=False)
class Panel:
    """One picture of the player: points, and a set that changes with the frame.

    Parameters
    ----------
    title : str
        Shown above the picture.
    points : ndarray of shape (n_points, 2)
        The data, in the coordinates of the view box.
    classes : ndarray of shape (n_points,)
        Index of each point's class in ``SweepData.class_names``.
    sets : sequence of Rings
        The set at each frame.
    overlay : sequence of Rings, optional
        A second set at each frame, drawn hatched, such as where nesting is violated.
    marker_sizes : ndarray of shape (n_frames, n_points), optional
        Size of each point at each frame, from 0 (smallest) to 1 (largest).
    texts : sequence of str, optional
        Description of each point, shown while the pointer is on it.
    flags : ndarray of shape (n_points,), optional
        Which points are drawn hollow; ``SweepData.flag_name`` says why.
    """

    title: str
    points: NDArray[np.float64]
    classes: NDArray[np.integer]
    sets: Sequence[Rings]
    overlay: Sequence[Rings] | None = None
    marker_sizes: NDArray[np.float64] | None = None
    texts: Sequence[str] | None = None
    flags: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        """Refuse a panel whose parts do not fit together."""
        _check_panel(self)


@dataclass(frozen=True, eq=False)
class SweepData:
    """A sweep through a family of sets: the levels, and one panel or more over them.

    Parameters
    ----------
    panels : sequence of Panel
        Side by side on wide screens, one above the other on narrow ones.
    levels : sequence of float
        The level of each frame.
    labels : sequence of str
        The level of each frame as text, such as ``"0.125"``.
    captions : sequence of str
        One sentence for each frame, such as ``"12 % of the points outside"``.
    level_name : str
        Name of the level, such as ``"level λ"``.
    view : tuple of float
        ``(xmin, xmax, ymin, ymax)``, common to all panels.
    alt : str
        Description of the picture for screen readers.
    axis_names : tuple of str
        Names of the horizontal and the vertical axis.
    class_names : sequence of str
        Names of the classes. One class is drawn in a neutral colour and needs no legend.
    set_name, overlay_name, flag_name : str
        Names of the filled set, the hatched set and the hollow points in the legend.
    shown : sequence of Layer
        The layers that are switched on at first.
    start : int
        The frame shown first.
    autoplay : bool
        Start playing at once, unless the user's system asks for less motion.
    loop : {"bounce", "wrap"}
        Turn round at the ends, or begin again.
    ghost_every : int
        Step between the frames that "All levels" outlines; 0 leaves the switch out.
    keep_aspect : bool
        One unit is as long on one axis as on the other.
    frames_per_second : float
        At normal speed.
    """

    panels: Sequence[Panel]
    levels: Sequence[float]
    labels: Sequence[str]
    captions: Sequence[str]
    level_name: str
    view: tuple[float, float, float, float]
    alt: str
    axis_names: tuple[str, str] = ("x", "y")
    class_names: Sequence[str] = ("points",)
    set_name: str = "inside"
    overlay_name: str = ""
    flag_name: str = ""
    shown: Sequence[Layer] = ("outline", "fill", "overlay", "sizes")
    start: int = 0
    autoplay: bool = False
    loop: Loop = "bounce"
    ghost_every: int = 0
    keep_aspect: bool = False
    frames_per_second: float = 12.0

    def __post_init__(self) -> None:
        """Refuse a sweep whose panels do not match its frames, classes or view."""
        _check_sweep(self)


def _check_panel(panel: Panel) -> None:
    where = f"Panel {panel.title!r}"
    if panel.points.ndim != 2 or panel.points.shape[1] != 2:
        raise ValueError(f"{where}: points must have two columns, not shape {panel.points.shape}.")
    if not np.isfinite(panel.points).all():
        raise ValueError(f"{where}: some points are not finite; drop them before plotting.")
    n, frames = len(panel.points), len(panel.sets)
    if panel.classes.shape != (n,):
        raise ValueError(f"{where}: {n} points need {n} classes, not {panel.classes.shape}.")
    if panel.flags is not None and panel.flags.shape != (n,):
        raise ValueError(f"{where}: {n} points need {n} flags, not {panel.flags.shape}.")
    if panel.texts is not None and len(panel.texts) != n:
        raise ValueError(f"{where}: {n} points need {n} texts, not {len(panel.texts)}.")
    if panel.overlay is not None and len(panel.overlay) != frames:
        raise ValueError(
            f"{where}: the overlay has {len(panel.overlay)} frames, the sets have {frames}."
        )
    sizes = panel.marker_sizes
    if sizes is not None and sizes.shape != (frames, n):
        raise ValueError(f"{where}: marker sizes must be {frames} x {n}, not {sizes.shape}.")
    if sizes is not None and sizes.size and not (sizes.min() >= 0 and sizes.max() <= 1):
        raise ValueError(f"{where}: marker sizes must lie between 0 and 1; divide by the largest.")


def _check_sweep(sweep: SweepData) -> None:
    frames = len(sweep.levels)
    if frames == 0 or not sweep.panels:
        raise ValueError("A sweep needs at least one level and one panel.")
    for name in ("labels", "captions"):
        if len(getattr(sweep, name)) != frames:
            raise ValueError(
                f"{frames} levels need {frames} {name}, not {len(getattr(sweep, name))}."
            )
    if not 0 <= sweep.start < frames:
        raise ValueError(f"The first frame is {sweep.start}, but there are only 0 to {frames - 1}.")
    if not 1 <= len(sweep.class_names) <= MAX_CLASSES:
        raise ValueError(
            f"The player shows 1 to {MAX_CLASSES} classes, not {len(sweep.class_names)}; "
            "merge some of them."
        )
    if sweep.loop not in ("bounce", "wrap"):
        raise ValueError(f"loop must be 'bounce' or 'wrap', not {sweep.loop!r}.")
    unknown = sorted(set(sweep.shown) - set(LAYERS))
    if unknown:
        raise ValueError(f"shown must consist of {', '.join(LAYERS)}, not {', '.join(unknown)}.")
    if sweep.ghost_every < 0 or not sweep.frames_per_second > 0:
        raise ValueError("ghost_every must not be negative, and frames_per_second not zero.")
    check_view(sweep.view)
    for panel in sweep.panels:
        _check_panel_in_sweep(panel, sweep)


def _check_panel_in_sweep(panel: Panel, sweep: SweepData) -> None:
    where = f"Panel {panel.title!r}"
    if len(panel.sets) != len(sweep.levels):
        raise ValueError(f"{where} has {len(panel.sets)} frames for {len(sweep.levels)} levels.")
    classes, names = panel.classes, len(sweep.class_names)
    if classes.size and not (classes.min() >= 0 and classes.max() < names):
        raise ValueError(f"{where}: classes must be numbers from 0 to {names - 1}, one per name.")
    for layer in (panel.sets, panel.overlay or ()):
        _check_rings(layer, sweep.view, where)


def _check_rings(frames: Sequence[Rings], view: Sequence[float], where: str) -> None:
    xmin, xmax, ymin, ymax = view
    rings = [ring for frame in frames for ring in frame]
    for ring in rings:
        if ring.ndim != 2 or ring.shape[1] != 2:
            raise ValueError(f"{where}: a ring must have two columns, not shape {ring.shape}.")
    if not rings:
        return
    vertices = np.concatenate(rings)
    margin = (xmax - xmin) / 2, (ymax - ymin) / 2
    low, high = (xmin - margin[0], ymin - margin[1]), (xmax + margin[0], ymax + margin[1])
    # Moving a far vertex to the limit would bend the outline inside the picture.
    if not ((vertices >= low) & (vertices <= high)).all():
        raise ValueError(
            f"{where}: an outline leaves the view by more than half its size (or is not finite); "
            "cut the sets near the view box, or enlarge the view."
        )
