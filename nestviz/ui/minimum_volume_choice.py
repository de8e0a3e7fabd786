"""Minimum volume sets of given mass, chosen from tables, and the code that makes them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nestviz.ui.error_choice import NARROWEST, WIDEST, WIDTH_LINES
from nestviz.ui.work.error_searches import WayTable

if TYPE_CHECKING:
    import pandas as pd

    from nestviz.estimators import Search

FloatArray = NDArray[np.float64]
WAYS = {
    "uniform": "points drawn evenly from the box around the data",
    "thinned": "ten times as many, thinned by their closest pairs",
    "manifold": "points drawn from balls around the data, thinned",
    "one-class": "no points in the fit; uniform ones measure it",
}
MOST, NU, WIDTHS, FOLDS, SEED = 150, 6, 4, 5, 0
"""Points at most, and the grid: small, since there are as many reference points again."""
FEWEST, SHOWN = 10, 300
"""Different points at least; reference points drawn at most."""
ONE_CLASS = "one-class"
ROUNDING = 1e-9


@dataclass(frozen=True)
class Wish:
    """What is wanted."""

    beta: float
    part: str


@dataclass(frozen=True, eq=False)
class WaySet:
    """The set of one way of drawing reference points.

    Attributes
    ----------
    svm : DualNuSVM or NuOneClassSVM
        The fit; a classifier calls the data −1 and reference points +1.
    search : Search
        The setting it was chosen by.
    rings : tuple of (k, 2) arrays
        Its outline in the plane.
    area : float
        Share of the picture inside: one yardstick for all ways.
    """

    svm: Any
    search: Search
    rings: tuple[FloatArray, ...]
    area: float


def chosen_set(X: FloatArray, way: str, beta: float, found: WayTable) -> tuple[Search, Any]:
    """The setting that `MinimumVolumeSet` would choose from a table, and the SVM fitted to it."""
    from nestviz.estimators import DualNuSVM, NuOneClassSVM
    from nestviz.estimators.error_criteria import NeymanPearson
    from nestviz.estimators.error_search import Settings
    from nestviz.estimators.known_errors import search_table

    table = found.table
    settings = Settings("grid", "3d", table.nu_plus, table.sigmas, table.folds, table.seed, None)
    search = search_table(table, NeymanPearson(1.0 - beta), settings)
    if way == ONE_CLASS:
        return search, NuOneClassSVM(search.sigma, search.nu_plus).fit(X)
    both = np.concatenate((X, found.reference))
    labels = np.repeat([-1, 1], [len(X), len(found.reference)])
    with warnings.catch_warnings():
        # A trivial classifier leaves nothing out; the picture shows as much.
        warnings.filterwarnings("ignore", message="The 2ν-SVM is trivial", category=UserWarning)
        return search, DualNuSVM(search.nu_plus, search.nu_minus, search.sigma).fit(both, labels)


def inside_values(svm: Any, way: str, X: Any) -> FloatArray:
    """Positive inside the set; a classifier is positive where it expects reference points."""
    values: FloatArray = np.asarray(svm.family_.values(X, svm.level_))
    if way == ONE_CLASS:
        return values
    return np.ones_like(values) if svm.is_trivial_ else -values


def table_of(wish: Wish, sets: Mapping[str, WaySet]) -> pd.DataFrame:
    """Mass and volume of each way."""
    import pandas as pd

    rows = []
    for way, entry in sets.items():
        alarm, miss = entry.search.rates
        rows.append(
            {
                "reference": way,
                "mass": 1.0 - alarm,
                "enough": 1.0 - alarm >= wish.beta - ROUNDING,
                "reference_inside": miss,
                "area": entry.area,
                "sigma": entry.search.sigma,
            }
        )
    return pd.DataFrame(rows)


def lines(wish: Wish) -> tuple[str, ...]:
    """The lines of a script that make the same sets."""
    part: tuple[str, ...] = ()
    if wish.part != "all points":
        sign = 1 if wish.part == "class +1" else -1
        part = (f'data = data.take(data.y == {sign}, "Only {wish.part}.")',)
    ways = ", ".join(f'"{way}"' for way in WAYS)
    return (
        *part,
        "from nestviz.data import subsample",
        f"data = subsample(data, {MOST}, {SEED})",
        *WIDTH_LINES,
        f"sigmas = median_distance(data.X) * np.geomspace({NARROWEST}, {WIDEST}, {WIDTHS})",
        "from nestviz import MinimumVolumeSet",
        "sets = {",
        "    way: MinimumVolumeSet(",
        f"        {wish.beta!r}, way, nu={NU}, sigmas=sigmas, folds={FOLDS}, seed={SEED}",
        "    ).fit(data.X)",
        f"    for way in ({ways})",
        "}",
        "for way, model in sets.items():",
        '    print(f"{way}: mass {model.mass_:.3f}, reference inside {model.volume_:.3f}")',
        "",
        "from nestviz.figures.error_control import reference_points_figure",
        "drawn = {way: model.reference_points_[: data.n] for way, model in sets.items()}",
        "figure = reference_points_figure(drawn, data.X)",
        'figure.write_html("minimum-volume.html")',
    )
