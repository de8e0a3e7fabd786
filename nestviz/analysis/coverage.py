"""The share of the data in the set of each quantile, compared with the quantile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.minimum_volume import ROUNDING, minimum_volume_set
from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.solvers.quantile.solve import checked_quantiles

#: Half-width of a 95 % interval in standard deviations of a normal distribution.
NORMAL_95 = 1.959964


@dataclass(frozen=True, eq=False)
class CoverageRatio:
    """Empirical mass of each set, relative to its quantile (Glazer et al. 2013, section 5.1).

    Attributes
    ----------
    quantiles : ndarray of shape (q,)
        The nominal mass α of each set, ascending.
    masses : ndarray of shape (q,)
        The share α' of the points inside.
    size : int
        Number of points.
    """

    quantiles: FloatArray
    masses: FloatArray
    size: int

    @property
    def ratios(self) -> FloatArray:
        """Return α'/α: 1 where the mass equals the quantile, less where the set is too small."""
        return self.masses / self.quantiles

    @property
    def errors(self) -> FloatArray:
        """Return ``|1 − α'/α|``, by which methods are compared."""
        return np.abs(1.0 - self.ratios)

    @property
    def mean_error(self) -> float:
        """Return the average of `errors` over all quantiles."""
        return float(self.errors.mean())

    @property
    def intervals(self) -> FloatArray:
        """Return 95 % intervals of the ratios, (q, 2): Wilson's, divided by the quantile.

        They cover the sampling error of the points counted here, for given sets.
        """
        n, p, z = self.size, self.masses, NORMAL_95
        centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
        ends = np.clip([centre - half, centre + half], 0.0, 1.0)
        return np.transpose(ends / self.quantiles)


def coverage_ratio(
    model: SetFamily | Any, X: ArrayLike, quantiles: ArrayLike | None = None
) -> CoverageRatio:
    """Compare the share of the points in the set of each quantile with the quantile.

    Parameters
    ----------
    model : SetFamily or fitted estimator
        Sets whose level is their nominal mass: those of `QuantileOneClassSVM`,
        `IndependentOneClassSVM`, `HierarchicalMVSets`, or any family indexed by `at_masses`.
    X : array-like of shape (n_points, n_features)
        Held-out points. On training points the ratio says little.
    quantiles : array-like of shape (q,), optional
        Quantiles to evaluate, ascending; by default the family's breakpoints.

    Returns
    -------
    CoverageRatio

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import QuantileOneClassSVM
    >>> rng = np.random.default_rng(0)
    >>> model = QuantileOneClassSVM(sigma=1.0, quantiles=3).fit(rng.normal(size=(400, 2)))
    >>> coverage_ratio(model, rng.normal(size=(400, 2))).ratios.round(1)
    array([1., 1., 1.])
    """
    family = model if isinstance(model, SetFamily) else model.family_
    wanted = checked_quantiles(family.levels if quantiles is None else quantiles)
    inside = family.values(X, wanted) >= 0
    if not inside.shape[1]:
        raise ValueError("A coverage ratio needs at least one point.")
    return CoverageRatio(wanted, inside.mean(axis=1), inside.shape[1])


def promised_band(
    coverages: ArrayLike, size: int, n_calibration: int | None = None, *, confidence: float = 0.95
) -> FloatArray:
    """Return where the share of held-out points lies if a promised coverage holds.

    Sets calibrated on n points have a coverage of their own, which follows a beta distribution;
    the number of m held-out points in them is beta-binomial. For sets whose coverage is exactly as
    promised it is binomial.

    Parameters
    ----------
    coverages : array-like of shape (q,)
        The promised coverages 1 − α, in (0, 1).
    size : int
        Number m of held-out points.
    n_calibration : int, optional
        Number n of points that the sets were calibrated on, by "split"; without it, binomial.
    confidence : float
        Probability of the band.

    Returns
    -------
    ndarray of shape (q, 2)
        The lowest and the highest share.

    Examples
    --------
    >>> promised_band([0.9], 200).round(2)
    array([[0.86, 0.94]])
    >>> promised_band([0.9], 200, 100).round(2)
    array([[0.82, 0.96]])
    """
    from scipy.stats import betabinom, binom

    found = []
    for coverage in np.atleast_1d(np.asarray(coverages, dtype=np.float64)):
        law = binom(size, coverage)
        if n_calibration is not None:
            rank = int(np.floor((1.0 - coverage) * (n_calibration + 1) + 1e-9))
            law = betabinom(size, n_calibration + 1 - rank, rank) if rank else binom(size, 1.0)
        found.append(law.ppf([(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0]) / size)
    return np.array(found).reshape(-1, 2)


def at_masses(family: SetFamily, X: ArrayLike, quantiles: ArrayLike) -> SetFamily:
    """Index a nested family by mass: quantile α gets the first set with a share α of the points.

    The levels λ of `NestedOneClassSVM` and `ParzenLevelSets` do not determine a mass; the points
    do. Between two quantiles coefficients and offset are interpolated. A set interpolated between
    two nested sets lies between them, so the result is nested.

    Parameters
    ----------
    family : SetFamily
        A nested family.
    X : array-like of shape (n_points, n_features)
        Points on which the mass is measured, usually the training points.
    quantiles : array-like of shape (q,)
        Masses, ascending, above 0 and below 1.

    Returns
    -------
    SetFamily
        Sets that grow with the quantile.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> family = at_masses(ParzenLevelSets(sigma=0.5).fit(X).family_, X, [0.25, 0.5, 0.75])
    >>> float(family.contains(X, 0.5).mean())
    0.5
    """
    wanted = checked_quantiles(quantiles)
    if not family.is_nested:
        raise ValueError(
            "The sets of this family can cross, so the one that first holds a given mass need not "
            "contain those before it. Read its successive union instead: family.union()."
        )
    top = minimum_volume_set(family, X, float(wanted[-1]))
    position = np.searchsorted(top.masses, wanted - ROUNDING, side="left")
    last = int(np.searchsorted(top.masses, wanted[-1] - ROUNDING, side="left"))
    after = np.minimum(position + 1, len(top.levels) - 1)
    levels = np.where(position == last, top.level, 0.5 * (top.levels[position] + top.levels[after]))
    coefficients, offsets = family.coefficients_at(levels)
    return SetFamily(
        levels=wanted,
        coefficients=coefficients,
        offsets=offsets,
        centres=family.centres,
        kernel=family.kernel,
        orientation=1,
        is_nested=True,
        tolerance=family.tolerance,
        level_name="quantile",
    )
