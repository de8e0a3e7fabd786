"""What the player shows: families of sets over one level axis, in one or more panels.

The player gets the families themselves and evaluates them in the browser. Parts that do not fit
together are refused with a sentence that says what is wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Plane
from nestviz.scan_results import Intervals
from nestviz.ui.scene.knob_curve import KnobCurve
from nestviz.ui.scene.lattices import Band, Truth
from nestviz.ui.scene.view_box import check_view

MAX_CLASSES = 7
"""The number of marker shapes and colours that can be distinguished."""

Form = Literal["3g", "2f", "3f", "1%"]
"""How a number is written: significant digits, decimals, or per cent."""
Loop = Literal["bounce", "wrap"]
Layer = Literal[
    "levels",
    "outline",
    "fill",
    "overlay",
    "sizes",
    "hill",
    "stack",
    "swipe",
    "truth",
    "roles",
    "band",
]
"""What the user can switch on and off: outlines of several levels, the boundary of the present one,
its filled area, the hatched violations, coefficients as the size of markers, the entry level as
colour, the sets stacked in 3-D, two panels in one with a divider, the true level set, points by
their part in the solution, the band in which the boundaries of resamples differ."""
LAYERS: tuple[Layer, ...] = get_args(Layer)
Part = Literal["legend", "readout", "speed", "loop", "tools", "paths"] | Layer
PARTS: tuple[Part, ...] = ("legend", "readout", "speed", "loop", "tools", "paths", *LAYERS)
USUAL: tuple[Part, ...] = tuple(part for part in PARTS if part not in ("paths", "roles", "band"))
"""The parts that most pages show; the others are for solution paths and for resamples."""


@dataclass(frozen=True, eq=False)
class Scale:
    """The level axis: stops from small sets to large ones, linear between them.

    Parameters
    ----------
    name : str
        Name of what the slider shows, such as ``"level λ"``.
    levels : ndarray of shape (n_stops,)
        The level of the families at each stop.
    numbers : ndarray of shape (n_stops,)
        The number shown at each stop: the level itself, or the same level in another unit.
    form : {"3g", "2f", "3f", "1%"}
        How that number is written.
    """

    name: str
    levels: FloatArray
    numbers: FloatArray
    form: Form = "3g"

    def __post_init__(self) -> None:
        levels, numbers = (np.asarray(a, dtype=np.float64) for a in (self.levels, self.numbers))
        if not levels.size or levels.shape != numbers.shape or levels.ndim != 1:
            raise ValueError("A scale needs one or more levels, and a number for each.")
        if not (np.isfinite(levels).all() and np.isfinite(numbers).all()):
            raise ValueError("The levels of a scale and their numbers must be finite.")
        object.__setattr__(self, "levels", levels)
        object.__setattr__(self, "numbers", numbers)

    @property
    def last(self) -> int:
        """The position of the last stop."""
        return self.levels.size - 1

    def level(self, position: float) -> float:
        """Return the level at a position between 0 and the last stop."""
        return float(np.interp(position, np.arange(self.levels.size), self.levels))

    def label(self, position: float) -> str:
        """Return the number at a position as text."""
        number = float(np.interp(position, np.arange(self.levels.size), self.numbers))
        if self.form == "1%":
            return f"{number:.1%}"
        return f"{number:.{self.form}}"

    def position(self, level: float) -> float:
        """Return the position whose level is nearest to the given one."""
        if self.last == 0:
            return 0.0
        lower, upper = self.levels[:-1], self.levels[1:]
        gap = upper - lower
        share = np.divide(level - lower, gap, out=np.zeros_like(gap), where=gap != 0)
        share = np.clip(share, 0.0, 1.0)
        nearest = int(np.abs(lower + share * gap - level).argmin())
        return float(nearest + share[nearest])


@dataclass(frozen=True, eq=False)
class Panel:
    """One picture of the player: points, and a family of sets.

    Parameters
    ----------
    title : str
        Shown above the picture.
    points : ndarray of shape (n_points, 2)
        The data, in plane coordinates.
    classes : ndarray of shape (n_points,)
        Index of each point's class in ``Scene.class_names``.
    family : SetFamily
        The sets.
    plane : Plane
        The plane of the picture, in the space of the family's centres.
    intervals : Intervals, optional
        The levels at which each point is inside, exactly; shown while the pointer is on a point.
    inside : ndarray of shape (n_stops, n_points), optional
        Whether each point is inside at each stop, for counts where there are no intervals.
    size_scale : float, optional
        Factor that turns the size of a coefficient into a share of its bound, for markers as large
        as their coefficient.
    size_rows : ndarray of shape (n_points,), optional
        The centre of each point, where repeated points share one and divide its coefficient; by
        default, points and centres are the same.
    hollow : ndarray of shape (n_points,), optional
        Which points are drawn hollow; ``Scene.flag_name`` says why.
    weights : ndarray of shape (n_points,), optional
        Weights with mean 1: the area of markers, and what counts of points count.
    band : Band, optional
        Where the boundaries of resamples differ.
    """

    title: str
    points: FloatArray
    classes: NDArray[np.integer]
    family: SetFamily
    plane: Plane = field(default_factory=Plane.of_two_features)
    intervals: Intervals | None = None
    inside: BoolArray | None = None
    size_scale: float | None = None
    size_rows: IntArray | None = None
    hollow: BoolArray | None = None
    weights: FloatArray | None = None
    band: Band | None = None

    def __post_init__(self) -> None:
        """Refuse a panel whose parts do not fit together."""
        _check_panel(self)


@dataclass(frozen=True)
class Knob:
    """A setting with a slider inside the player; the picture follows while it moves.

    Parameters
    ----------
    key : str
        The key of the address that it changes.
    label : str
        Its name, such as ``"width σ"``.
    value, low, high : float
        In the unit of the address.
    log : bool
        Whether the slider is logarithmic.
    power : bool
        Whether the address has the decimal logarithm of what is shown.
    unit : float
        Factor from the address to the number shown.
    form : {"3g", "2f", "3f", "1%"}
        How the number is written.
    marks : tuple of (float, str)
        Named values, marked on the slider.
    curve : KnobCurve, optional
        Drawn above the slider, which then follows the pointer over it.
    """

    key: str
    label: str
    value: float
    low: float
    high: float
    log: bool = False
    power: bool = False
    unit: float = 1.0
    form: Form = "3g"
    marks: tuple[tuple[float, str], ...] = ()
    curve: KnobCurve | None = None


@dataclass(frozen=True, eq=False)
class Scene:
    """Families over the same level axis, with everything that the player says about them.

    Parameters
    ----------
    panels : sequence of Panel
        Side by side on wide screens, one above the other on narrow ones.
    scale : Scale
        The level axis.
    view : tuple of float
        ``(xmin, xmax, ymin, ymax)``, common to all panels.
    alt : str
        Description of the picture for screen readers.
    axis_names : tuple of str
        Names of the horizontal and the vertical axis.
    class_names : sequence of str
        Names of the classes. One class is drawn in a neutral colour and needs no legend.
    neutral : bool
        Draw all classes alike, as one class alone; edited points keep their classes.
    set_name, overlay_name, flag_name : str
        Names of the filled set, the hatched violations and the hollow points in the legend.
    shown : sequence of Layer
        The layers that are switched on at first.
    start : float
        The position shown first, in stops of the scale.
    autoplay : bool
        Start playing at once, unless the user's system asks for less motion.
    loop : {"bounce", "wrap"}
        Turn round at the ends, or begin again.
    ghosts : int
        How many levels "All levels" outlines; 0 leaves the switch out.
    stops_per_second : float
        At normal speed.
    stepwise : bool
        Whether only the stops themselves are shown, such as a few given quantiles.
    captions : sequence of str
        A sentence for each stop; by default the player counts points and violations itself.
    notes : sequence of str
        What stands before that count at each stop, such as the level in another unit.
    by_class : bool
        Count the points inside separately for each class.
    knobs : sequence of Knob
        The settings with a slider in the player.
    truth : Truth, optional
        The known density, for the true level set.
    probe : tuple of float, optional
        The location that is pinned at first.
    point_names : sequence of str
        What each point is called while the pointer is on it; by default its number.
    live : mapping
        How the browser asks for families while a knob moves; empty where it cannot.
    """

    panels: Sequence[Panel]
    scale: Scale
    view: tuple[float, float, float, float]
    alt: str
    axis_names: tuple[str, str] = ("x", "y")
    class_names: Sequence[str] = ("points",)
    neutral: bool = False
    set_name: str = "inside"
    overlay_name: str = ""
    flag_name: str = ""
    shown: Sequence[Layer] = ("outline", "fill", "overlay")
    start: float = 0.0
    autoplay: bool = False
    loop: Loop = "bounce"
    ghosts: int = 0
    stops_per_second: float = 12.0
    stepwise: bool = False
    captions: Sequence[str] = ()
    notes: Sequence[str] = ()
    by_class: bool = False
    knobs: Sequence[Knob] = ()
    truth: Truth | None = None
    probe: tuple[float, float] | None = None
    point_names: Sequence[str] = ()
    live: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a scene whose panels do not match its stops, classes or view."""
        _check_scene(self)

    @property
    def level(self) -> float:
        """The level shown first."""
        return self.scale.level(self.start)


def _check_panel(panel: Panel) -> None:
    where = f"Panel {panel.title!r}"
    if panel.points.ndim != 2 or panel.points.shape[1] != 2:
        raise ValueError(f"{where}: points must have two columns, not shape {panel.points.shape}.")
    if not np.isfinite(panel.points).all():
        raise ValueError(f"{where}: some points are not finite; drop them before plotting.")
    n = len(panel.points)
    if panel.classes.shape != (n,):
        raise ValueError(f"{where}: {n} points need {n} classes, not {panel.classes.shape}.")
    if panel.hollow is not None and panel.hollow.shape != (n,):
        raise ValueError(f"{where}: {n} points need {n} flags, not {panel.hollow.shape}.")
    if panel.weights is not None and panel.weights.shape != (n,):
        raise ValueError(f"{where}: {n} points need {n} weights, not {panel.weights.shape}.")
    if panel.intervals is not None and len(panel.intervals) != n:
        raise ValueError(f"{where}: {n} points need intervals each, not {len(panel.intervals)}.")
    rows, centres = panel.size_rows, len(panel.family.centres)
    fits = centres == n if rows is None else rows.shape == (n,) and rows.max(initial=0) < centres
    if panel.size_scale is not None and not fits:
        raise ValueError(
            f"{where}: markers as large as coefficients need a coefficient for each of the {n} "
            f"points, not {centres}."
        )
    if panel.plane.dimension != panel.family.centres.shape[1]:
        raise ValueError(f"{where}: the plane lies in another space than the family.")


def _check_scene(scene: Scene) -> None:
    if not scene.panels:
        raise ValueError("A scene needs at least one panel.")
    stops = scene.scale.levels.size
    for name in ("captions", "notes"):
        given = len(getattr(scene, name))
        if given not in (0, stops):
            raise ValueError(f"{stops} stops need {stops} {name}, not {given}.")
    if not 0 <= scene.start <= scene.scale.last:
        raise ValueError(
            f"The first position is {scene.start}, but there are only 0 to {scene.scale.last}."
        )
    if not 1 <= len(scene.class_names) <= MAX_CLASSES:
        raise ValueError(
            f"The player shows 1 to {MAX_CLASSES} classes, not {len(scene.class_names)}; "
            "merge some of them."
        )
    if scene.loop not in ("bounce", "wrap"):
        raise ValueError(f"loop must be 'bounce' or 'wrap', not {scene.loop!r}.")
    unknown = sorted(set(scene.shown) - set(LAYERS))
    if unknown:
        raise ValueError(f"shown must consist of {', '.join(LAYERS)}, not {', '.join(unknown)}.")
    if scene.ghosts < 0 or not scene.stops_per_second > 0:
        raise ValueError("ghosts must not be negative, and stops_per_second not zero.")
    check_view(scene.view)
    n, called = len(scene.panels[0].points), len(scene.point_names)
    if called not in (0, n):
        raise ValueError(f"{n} points need {n} names, not {called}.")
    for panel in scene.panels:
        _check_panel_in_scene(panel, scene)


def _check_panel_in_scene(panel: Panel, scene: Scene) -> None:
    where, stops, names = f"Panel {panel.title!r}", scene.scale.levels.size, len(scene.class_names)
    classes, inside = panel.classes, panel.inside
    if classes.size and not (classes.min() >= 0 and classes.max() < names):
        raise ValueError(f"{where}: classes must be numbers from 0 to {names - 1}, one per name.")
    if inside is not None and inside.shape != (stops, len(panel.points)):
        raise ValueError(
            f"{where}: membership must be {stops} stops × {len(panel.points)} points, not "
            f"{inside.shape}."
        )
