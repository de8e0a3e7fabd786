"""The width of the kernel: least integrated volume, and rules by distances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.commands.console import Console
from nestviz.data import DataError
from nestviz.kernels import auto_sigma, average_distance, dimension_sigma, median_distance
from nestviz.volume.bandwidth import WIDTHS
from nestviz.volume.reference import MARGIN
from nestviz.volume.selection import BandwidthSelection

RULES: dict[str, Callable[[FloatArray], float]] = {
    "auto": auto_sigma,
    "median": median_distance,
    "average": average_distance,
    "dimension": dimension_sigma,
}
"""Rules by the distances between the points, or by their dimension, alone."""
FOLDS = 5
FEWEST = 4
"""Distinct points that a search needs, since it holds some out."""


def margin_of(rule: str) -> float:
    """Return the margin of the box in ``miv`` or ``miv:0.5``."""
    _, colon, margin = rule.partition(":")
    return float(margin) if colon else MARGIN


def estimator_of(name: str, **parameters: Any) -> Any:
    """Return an estimator by its public name."""
    import nestviz

    return getattr(nestviz, name)(**parameters)


def least_volume(
    estimator: str,
    X: FloatArray,
    console: Console,
    *,
    widths: int = WIDTHS,
    folds: int = FOLDS,
    margin: float = MARGIN,
    **parameters: Any,
) -> BandwidthSelection:
    """Search the width of least integrated volume as the Bandwidth page does.

    Parameters
    ----------
    estimator : str
        Public name of the estimator whose sets are measured.
    X : ndarray of shape (n_points, n_features)
        The points.
    console : Console
        Where progress is shown.
    widths, folds : int
        Number of widths to try, and of parts that are held out.
    margin : float
        How far the box reaches beyond the points on each side, as a share of their spread.
    **parameters : Any
        Other parameters of the estimator.

    Returns
    -------
    BandwidthSelection
    """
    from nestviz.volume import select_bandwidth, uniform_reference

    distinct = len(np.unique(X, axis=0))
    if distinct < FEWEST:
        raise DataError(
            f"There are {distinct} different points. A width is evaluated on held-out points, "
            f"which takes {FEWEST} or more.",
            hint="Give a width by --sigma instead.",
        )
    folds = min(folds, len(X))
    with console.progress("Searching for the width") as report:

        def heard(progress: Any) -> bool:
            tried, wanted = progress.done // folds, (progress.total or 0) // folds
            return report(progress.share or 0.0, f"{tried} of {wanted} widths tried")

        return select_bandwidth(
            X,
            estimator_of(estimator, **parameters),
            widths=widths,
            cv=folds,
            reference=uniform_reference(X, margin=margin, relative=True),
            n_jobs=-1,
            callback=heard,
        )
