"""Warnings for degenerate data or widths, with advice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.data.centres import typical_distance
from nestviz.distances import squared_distances
from nestviz.kernels import AUTO_SHARE, GaussianKernel
from nestviz.ui.data_choice import Current
from nestviz.ui.results import cache

SHARES = np.linspace(0.05, 2.0, 40)
"""Widths that the slider offers, as shares of the median distance; advice keeps to them."""
ALONE = 1.0
"""Below this, at a typical point, all other points together weigh less than the point itself."""
ENOUGH = 3.0
"""The kernel sum over other points at a typical point that advised widths reach."""
ALIKE = 0.8
"""Above this kernel value between typical points the kernel is nearly constant."""
FEWEST = 4
"""Fewer distinct points than this have no shape, whatever the width."""
CONNECTED = 0.95
"""Share of the points that have a neighbour within the width advised for a ranking."""
AT_MOST = 400
"""Points at which kernels are summed; more would hardly change the median."""


def show(
    current: Current,
    sigma: float | None = None,
    *,
    two_classes: bool = False,
    inside: Iterable[FloatArray] = (),
) -> None:
    """Show the reasons why a picture may mean nothing, if any.

    Parameters
    ----------
    current : Current
        The data in use.
    sigma : float, optional
        The width of the kernel; without it only the data are checked.
    two_classes : bool
        Whether the page needs both classes.
    inside : iterable of ndarray
        The share of the points inside at each level shown, to detect levels that do not differ.
    """
    data = current.fitted
    found = [*of_data(data)]
    if two_classes:
        found += of_labels(data)
    if sigma is not None:
        found += of_width_of(data, float(sigma))
    if not found:
        found += of_counts(inside)
    for sentence in found:
        st.warning(sentence, icon=":material/report:")


@cache.kept()
def _distinct(data: Dataset) -> int:
    return len(np.unique(data.X, axis=0))


def of_data(data: Dataset) -> tuple[str, ...]:
    """Check for too few distinct points."""
    n, distinct = data.n, _distinct(data)
    if distinct == 1:
        return (
            f"All {n:,} points are at one location: every set is a disc around it. Choose other "
            "data, or other feature columns on the Data page."
            if n > 1
            else "There is a single point: every set is a disc around it. Add points on the Data "
            "page, or choose a sample.",
        )
    if distinct < FEWEST:
        return (
            f"There are only {distinct} distinct points: too few for a meaningful shape. Add "
            "points on the Data page, or choose a sample.",
        )
    if distinct < 0.5 * n:
        return (
            f"The {n:,} points have only {distinct:,} distinct locations. Points that coincide "
            "are merged and keep their weight, so the sets are right, but one marker stands for "
            "many points. More feature columns would separate them.",
        )
    return ()


def of_labels(data: Dataset) -> list[str]:
    """Check for missing labels, or labels of one class only."""
    if data.y is None:
        return ["These points have no labels, and this needs two classes."]
    missing = [name for sign, name in ((1, "+1"), (-1, "−1")) if not np.any(data.y == sign)]
    if not missing:
        return []
    return [
        f"There is no point of class {missing[0]}: with one class only there is nothing to "
        "classify."
    ]


@cache.kept()
def of_width(data: Dataset, sigma: float) -> tuple[str, ...]:
    """Check for a kernel so narrow that points are isolated, or so wide that all are alike."""
    weight = typical_weight(data.X, sigma, data.weights)
    others = max(data.stands_for - 1, 1)
    if weight < min(ALONE, ALIKE * others):
        return (
            "The width σ is too small for these data: at a typical point, all other points "
            "together weigh less than the point itself, so every point is isolated. "
            + _advice(data, _wide_enough(data)),
        )
    if weight > ALIKE * others and others > 1:
        return (
            f"The width σ is too large for these data: the kernel between typical points is "
            f"{weight / others:.2f}, nearly the 1 of a point with itself, so all points look "
            "alike and every set is one blob. " + _advice(data, _good_share(data)),
        )
    return ()


def of_width_of(data: Dataset, sigma: float) -> tuple[str, ...]:
    """Check a width, unless there are too few distinct points for any."""
    return of_width(data, sigma) if _distinct(data) >= FEWEST else ()


@cache.kept()
def connecting_share(data: Dataset) -> float:
    """Return a width at which nearly all points have a neighbour within σ, for rankings.

    As a share of the median distance, and at least that of ``sigma="auto"``: at narrower widths
    many points are reached by no kernel but their own, and tie as the most abnormal.
    """
    unit = typical_distance(data)
    rows = np.linspace(0, data.n - 1, min(data.n, AT_MOST)).astype(np.intp)
    away = squared_distances(data.X, data.X[rows])
    away[rows, np.arange(len(rows))] = np.inf
    nearest = np.sqrt(away.min(axis=0))
    if not (unit > 0 and np.isfinite(nearest).all()):
        return AUTO_SHARE
    return float(np.clip(np.quantile(nearest, CONNECTED) / unit, AUTO_SHARE, SHARES[-1]))


def advised_share(data: Dataset, sigma: float) -> float:
    """Return the width to use instead of one that is too small or too large for a ranking."""
    wide = connecting_share(data)
    unit = typical_distance(data)
    return wide if sigma < wide * unit else _good_share(data)


def of_counts(inside: Iterable[FloatArray]) -> list[str]:
    """Check for levels at which no point ever enters or stays outside."""
    found = []
    for shares in inside:
        if shares.min() == 1.0:
            found.append(
                "All points are inside at every level shown, so the levels do not distinguish "
                "them. Try a smaller width σ."
            )
        elif shares.max() == 0.0:
            found.append("No point is inside at any level shown. Try a larger width σ.")
    return list(dict.fromkeys(found))


def typical_weight(X: FloatArray, sigma: float, weights: FloatArray | None = None) -> float:
    """Return the median over points of the kernel summed over all *other* points."""
    rows = np.linspace(0, len(X) - 1, min(len(X), AT_MOST)).astype(np.intp)
    kernel = GaussianKernel(sigma)
    if weights is None:
        return float(np.median(kernel.gram(X, X[rows]).sum(axis=0)) - 1.0)
    # As many typical rows of a centre as it weighs, evenly spaced.
    ends = np.cumsum(weights)
    at = np.searchsorted(ends, (np.arange(AT_MOST) + 0.5) * (ends[-1] / AT_MOST))
    return float(np.median(weights @ kernel.gram(X, X[at])) - 1.0)


def _wide_enough(data: Dataset) -> float:
    """Return the smallest width on offer that gives a typical point enough neighbours."""
    unit, others = typical_distance(data), max(data.stands_for - 1, 1)
    for share in SHARES:
        weight = typical_weight(data.X, share * unit, data.weights)
        if weight >= min(ENOUGH, 0.4 * others):
            return float(share)
    return float(SHARES[-1])


def _good_share(data: Dataset) -> float:
    return max(AUTO_SHARE, _wide_enough(data))


def _advice(data: Dataset, share: float) -> str:
    sigma = share * typical_distance(data)
    return f"Try a width of {share:.2f} median distances (σ ≈ {sigma:.3g})."
