"""Reference points, which measure the volume of a set."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray, IntArray
from nestviz.grids import Grid
from nestviz.renamed import renamed

LARGEST_SOBOL_DIMENSION = 21201
MARGIN = 0.1
"""How far the box reaches beyond the data on each side, as a share of their spread."""


@dataclass(frozen=True, eq=False)
class Reference:
    """Locations of a box that each stand for the same share of its volume.

    The volume of a set is estimated by the share of the locations inside it. Pixels of a grid have
    no random error, only that of a pixel's width along the boundary. For random locations the
    standard error is estimated:

    - from the spread of independent scramblings when there are several (each of them is an
      unbiased estimate on its own);
    - from the binomial bound √(p(1 − p)/n) of independent points otherwise.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_features) or Grid
        The locations.
    volume : float
        The volume of the box, in the units of the data; or 1 for shares of the box.
    scramblings : int
        The points come as this many independent blocks of equal size, one after the other.
    """

    points: FloatArray | Grid
    volume: float
    scramblings: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.points, Grid):
            points = np.array(self.points, dtype=np.float64)
            if points.ndim != 2 or not len(points) or not np.all(np.isfinite(points)):
                raise ValueError("Reference points must be a table of finite numbers with rows.")
            points.setflags(write=False)
            object.__setattr__(self, "points", points)
        if not (np.isfinite(self.volume) and self.volume > 0):
            raise ValueError(
                f"The volume of a reference must be a positive number, not {self.volume!r}."
            )
        if self.scramblings < 1 or self.size % self.scramblings:
            raise ValueError(
                f"{self.size} reference points do not make {self.scramblings} blocks of equal size."
            )

    @property
    def size(self) -> int:
        """Number of locations."""
        return self.points.size if isinstance(self.points, Grid) else len(self.points)

    @property
    def is_random(self) -> bool:
        """Whether volumes carry a Monte-Carlo error; pixels do not."""
        return not isinstance(self.points, Grid)

    @property
    def blocks(self) -> IntArray:
        """The number of the scrambling of each location."""
        return np.arange(self.size) // (self.size // self.scramblings)

    def measure(self, inside: NDArray[np.bool_]) -> tuple[float, float]:
        """Return the volume of a set and its standard error.

        Parameters
        ----------
        inside : ndarray of shape (n_points,)
            Whether each location is in the set.

        Returns
        -------
        volume, error : float
            The estimate and its standard error.
        """
        by_block = inside.reshape(self.scramblings, -1).mean(axis=1) * self.volume
        return float(by_block.mean()), float(self.standard_error(by_block))

    def standard_error(self, estimates: FloatArray) -> FloatArray:
        """Return the standard error of the mean of one estimate per scrambling.

        Parameters
        ----------
        estimates : ndarray of shape (..., n_scramblings)
            Shares of the box times its volume.

        Returns
        -------
        ndarray of shape (...)
            Standard errors.
        """
        if not self.is_random:
            return np.zeros(estimates.shape[:-1])
        if self.scramblings > 1:
            return estimates.std(axis=-1, ddof=1) / np.sqrt(self.scramblings)
        share = np.clip(estimates[..., 0] / self.volume, 0.0, 1.0)
        return self.volume * np.sqrt(share * (1.0 - share) / self.size)


@renamed(seed="random_state")
def uniform_reference(
    X: ArrayLike,
    n: int = 2048,
    *,
    random_state: Any = 0,
    margin: float = MARGIN,
    scramblings: int = 8,
    relative: bool = False,
) -> Reference:
    """Return uniform points of the box around the data: scrambled Sobol sequences.

    Several short sequences are used instead of a long one, each with its own scrambling: from
    their spread follows the Monte-Carlo error of every volume.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data. The box reaches from the smallest to the largest value of every feature, widened
        by ``margin`` of that spread on both sides. A feature without spread adds nothing to the
        volume: all reference points share its value.
    n : int
        Number of points, rounded up so that every scrambling has a power of two.
    random_state : int, RandomState or None
        The same integer gives the same points.
    margin : float
        Share of the spread added on each side.
    scramblings : int
        Number of independent sequences.
    relative : bool
        Measure volumes as shares of the box: its own volume is then 1. In many dimensions the
        volume itself may be beyond the range of numbers.

    Returns
    -------
    Reference
        The points, with the volume of the box.

    Raises
    ------
    ValueError
        If the data are no table of finite numbers, or the box has no volume that can be written.

    Examples
    --------
    >>> reference = uniform_reference([[0.0, 0.0], [2.0, 1.0]], margin=0.0)
    >>> reference.volume, reference.size
    (2.0, 2048)
    """
    from scipy.stats import qmc

    low, spread = _box(X, margin)
    if n < 1 or scramblings < 1:
        raise ValueError(
            f"There must be reference points in scramblings, not {n} in {scramblings}."
        )
    dimension = low.size
    if dimension > LARGEST_SOBOL_DIMENSION:
        raise ValueError(
            f"Sobol points reach up to {LARGEST_SOBOL_DIMENSION} features; the data have "
            f"{dimension}. Project them first."
        )
    power = max(0, int(np.ceil(np.log2(n / scramblings))))
    seeds = np.random.SeedSequence(seed_of(random_state)).spawn(scramblings)
    blocks = [
        qmc.Sobol(dimension, seed=np.random.default_rng(one)).random_base2(power) for one in seeds
    ]
    points = low + np.concatenate(blocks) * spread
    return Reference(points, 1.0 if relative else _volume(spread), scramblings)


def pixel_reference(grid: Grid) -> Reference:
    """Return the pixels of a grid over two-dimensional data: areas by counting.

    Every pixel stands for a cell of the same area around it.

    Parameters
    ----------
    grid : Grid
        Evenly spaced, on the plane of the data.

    Returns
    -------
    Reference
        The pixels, with the area of their cells.

    Raises
    ------
    ValueError
        If the data have more than two features, or the grid is not evenly spaced.
    """
    if grid.plane.dimension != 2:
        raise ValueError(
            f"Pixels measure the area of sets in the plane; these data have "
            f"{grid.plane.dimension} features. Use uniform_reference instead."
        )
    if min(grid.shape) < 2:
        raise ValueError("A grid needs at least two rows and two columns to have an area.")
    for name, axis in (("u", grid.u), ("v", grid.v)):
        steps = np.diff(axis)
        if not np.allclose(steps, steps.mean(), rtol=1e-6, atol=0.0):
            raise ValueError(f"The grid axis {name!r} must be evenly spaced to measure areas.")
    return Reference(grid, grid.cell_area * grid.size)


def as_reference(reference: Reference | Grid) -> Reference:
    """Return a reference as it is, a grid as its pixels."""
    if isinstance(reference, Reference):
        return reference
    if isinstance(reference, Grid):
        return pixel_reference(reference)
    raise TypeError(
        "A reference is what uniform_reference or pixel_reference returns, or a Grid; not "
        f"{type(reference).__name__}."
    )


def chosen_reference(
    X: ArrayLike,
    reference: Reference | Grid | None,
    margin: float | None,
    seed: int,
    *,
    relative: bool = False,
) -> Reference:
    """Return the reference given, or uniform points of the box around the data."""
    if reference is None:
        reach = MARGIN if margin is None else margin
        return uniform_reference(X, random_state=seed, margin=reach, relative=relative)
    if margin is not None:
        raise ValueError(
            "A reference has its own box: give either a reference or a margin, not both."
        )
    return as_reference(reference)


def seed_of(random_state: Any) -> int:
    """Return a seed: the integer given, or one drawn from a random state."""
    from sklearn.utils import check_random_state

    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def _box(X: ArrayLike, margin: float) -> tuple[FloatArray, FloatArray]:
    """Return the lower corner and the width of the box."""
    points = np.ascontiguousarray(X, dtype=np.float64)
    if points.ndim != 2 or not points.size or not np.all(np.isfinite(points)):
        raise ValueError("The data must be a table of finite numbers with at least one row.")
    if not (np.isfinite(margin) and margin >= 0):
        raise ValueError(f"margin must be a finite number from 0 up, not {margin!r}.")
    low, high = points.min(axis=0), points.max(axis=0)
    spread = high - low
    return low - margin * spread, (1.0 + 2.0 * margin) * spread


def _volume(spread: FloatArray) -> float:
    """Return the product of the widths that are not zero."""
    log_volume = np.log(spread[spread > 0]).sum()
    if abs(log_volume) > 690.0:
        raise ValueError(
            "The volume of the box around these data is beyond the range of numbers. Scale the "
            "features, or measure volumes as shares of the box with relative=True."
        )
    return float(np.prod(spread[spread > 0]))
