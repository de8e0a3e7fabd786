"""Minimum volume sets of given mass, chosen from tables, and the code that makes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nestviz.arrays import FloatArray
from nestviz.ui.pages.error_control.settings import NARROWEST, WIDEST, WIDTH_LINES

if TYPE_CHECKING:
    import pandas as pd

    from nestviz.estimators import MinimumVolumeSet

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
    model : MinimumVolumeSet
        The fit, with the search that it was chosen by.
    rings : tuple of (k, 2) arrays
        Its outline in the plane.
    area : float
        Share of the picture inside: one yardstick for all ways.
    """

    model: MinimumVolumeSet
    rings: tuple[FloatArray, ...]
    area: float

    def holds(self, beta: float) -> bool:
        """Whether its mass, by cross-validation, is as large as wanted."""
        return self.model.mass_ >= beta - ROUNDING


def table_of(wish: Wish, sets: Mapping[str, WaySet]) -> pd.DataFrame:
    """Mass and volume of each way."""
    import pandas as pd

    rows = []
    for way, entry in sets.items():
        rows.append(
            {
                "reference": way,
                "mass": entry.model.mass_,
                "enough": entry.holds(wish.beta),
                "reference_inside": entry.model.volume_,
                "area": entry.area,
                "sigma": entry.model.sigma_,
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
        "from nestviz.figures import reference_points_figure",
        "drawn = {way: model.reference_points_[: data.n] for way, model in sets.items()}",
        "figure = reference_points_figure(drawn, data.X)",
        'figure.write_html("minimum-volume.html")',
    )
