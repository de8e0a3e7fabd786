"""Work on all of many rows, block by block: centres, certificates and ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.contributions import RowsAt
from nestviz.analysis.outliers import OutlierRanking
from nestviz.analysis.ranking import RankingScores, scores_of
from nestviz.analysis.set_volumes import SetVolumes
from nestviz.analysis.ties import TieBreak, Ties
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Plane
from nestviz.quantisation.certificate import QuantisationCertificate
from nestviz.quantisation.own_support import OwnSupport
from nestviz.quantisation.row_centres import RowCentres, row_centres
from nestviz.quantisation.sources import PART, LocalSource, Part
from nestviz.scan_results import Scan
from nestviz.ui.compute.entry_maps import TreeResult, entry_map
from nestviz.ui.compute.methods import Fitted, top_level
from nestviz.ui.compute.tasks import Report
from nestviz.volume.extrapolation import extrapolated_share

BLOCK = 4_096
"""Rows that are scored at once."""
MOST_TIED, MOST_BROKEN = 500, 5_000
"""Ties that begin among so many of the most abnormal rows are broken, if so few rows are tied."""


class _StoppedError(Exception):
    """The work was cancelled."""


def choose_centres(
    X: FloatArray, y: NDArray[np.int8] | None, count: int, seed: int, report: Report
) -> RowCentres | None:
    """Choose weighted centres for rows; None where it was stopped."""
    return row_centres(X, y, count, seed, lambda done: report(done, f"{done * len(X):,.0f} rows"))


def certify(
    estimator: Any,
    X: FloatArray,
    y: NDArray[np.int8] | None,
    found: RowCentres,
    report: Report,
) -> QuantisationCertificate | None:
    """Certify a solution on weighted centres for all rows; None where it was stopped."""
    from nestviz.estimators.quantised_fit import lifted
    from nestviz.quantisation import certificate

    # Weights with mean 1 over the centres, as in the fit.
    unit = len(found) / len(X)
    signs = None if y is None else y.astype(np.float64)

    def read() -> Iterator[Part]:
        for number, start in enumerate(range(0, len(X), PART)):
            if report(start / len(X), f"{start:,} rows"):
                raise _StoppedError
            block = X[start : start + PART]
            labels = None if signs is None else signs[start : start + PART]
            yield Part(block, labels, np.full(len(block), unit), number)

    problem = lifted(estimator, found.cells, found.centres, unit * found.weights)
    try:
        return certificate.certify(LocalSource(read), problem)
    except _StoppedError:
        return None


def grow(
    fitted: Fitted, centres: FloatArray, X: FloatArray, plane: Plane, report: Report
) -> TreeResult | None:
    """Return the tree of some rows in the sets of weighted centres; None where it was stopped."""
    from nestviz.analysis.tree.cluster_tree import cluster_tree

    if report(0.05, "finding connected parts"):
        return None
    tree = cluster_tree(fitted.family, X)
    if report(0.6, "drawing the sets"):
        return None
    drawn = entry_map(fitted, np.concatenate([centres, X]), plane)
    return TreeResult(tree, drawn, top_level(centres, fitted.spec.sigma, fitted.weights))


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The levels of every row, and how many rows are more abnormal."""

    first: FloatArray  # At which a row first enters, in the family's own level
    last: FloatArray  # From which on it stays inside
    violated: BoolArray
    beyond: NDArray[np.int64]  # Rows that enter later
    tied: NDArray[np.int64]  # Rows that enter at the same level, the row itself included
    rank: NDArray[np.int64]  # From 1; ties among the first are broken, others share a rank


def rank_rows(
    family: SetFamily,
    X: FloatArray,
    cell: NDArray[np.int32],
    found: RowCentres,
    resolution: float,
    report: Report,
) -> RankedRows | None:
    """Rank rows by the level at which they enter, block by block; None where stopped.

    ``cell`` is the cell of each row among those ``found``.
    """
    support, parts = OwnSupport.of(family, found.centres, found.weights), []
    for start in range(0, len(X), BLOCK):
        if report(start / len(X), f"{start:,} of {len(X):,} rows"):
            return None
        block = slice(start, start + BLOCK)
        parts.append(support.scan(X[block], cell[block]))
    scan = Scan.joined(parts)
    entry = family.orientation * scan.first
    beyond = np.asarray(Ties.among(entry, resolution).beyond(entry), dtype=np.int64)
    tied = np.bincount(beyond)[beyond]
    rank = beyond + 1
    some = np.flatnonzero((tied > 1) & (beyond < MOST_TIED))
    if 0 < len(some) <= MOST_BROKEN:
        rank[some] += _within_ties(support, X, cell, entry, some, resolution)
    return RankedRows(scan.first, scan.last, scan.violated, beyond, tied, rank)


def _within_ties(
    support: OwnSupport,
    X: FloatArray,
    cell: NDArray[np.int32],
    entry: FloatArray,
    some: NDArray[np.intp],
    resolution: float,
) -> IntArray:
    """Count the rows that tie with each of some rows and are more abnormal."""
    points = np.column_stack([X[some], np.arange(len(some))])
    values, ties = support.values(X[some], cell[some]), Ties.among(entry[some], resolution)
    broken = _FirstTies(support.by_values, points, entry[some], ties, values, X)
    return broken.beyond(points, entry[some])


@dataclass(frozen=True, eq=False)
class _FirstTies(TieBreak):
    """The order among a few rows that tie, whose last coordinate is their number."""

    kernel_values: FloatArray
    every: FloatArray

    @property
    def _has_distances(self) -> bool:
        return len(self.every) > 1

    def _values(self, points: FloatArray, levels: FloatArray) -> FloatArray:
        fields = self.family.values(self.kernel_values[points[:, -1].astype(np.intp)], levels)
        return np.concatenate([fields, -self._isolation(points[:, :-1])[None]])

    def _isolation(self, points: FloatArray) -> FloatArray:
        """Return the distance to the nearest of all rows besides one at the location itself."""
        near, next_to_it = self._tree.query(points, 2)[0].T
        return np.where(near == 0.0, next_to_it, near)

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self.every)


@dataclass(frozen=True, eq=False)
class RowsRanking(OutlierRanking):
    """A ranking of rows by a family fitted to weighted centres.

    ``points``, levels and ranks may be those of some of the rows; ranks count all of ``total``.
    """

    total: int = 0
    entries: FloatArray | None = None  # Of all rows, in the order of growth
    centres: FloatArray | None = None  # The training points

    def __len__(self) -> int:
        return self.total

    @cached_property
    def order(self) -> IntArray:
        """Rows from the most abnormal to the most normal; ties in the order of the data."""
        return np.argsort(self.rank, kind="stable")

    @property
    def level_rank(self) -> IntArray:
        """The rank by the level alone; rows tied at a level share it."""
        return np.rint(self.mass_outside * self.total).astype(np.int64) + 1

    def rank_of(self, X: ArrayLike) -> IntArray:
        """Return the rank that each new point would have among all rows."""
        return np.asarray(1 + self._ties.beyond(self._entry(X)))

    def score_of(self, X: ArrayLike) -> FloatArray:
        """Return the score of new points."""
        entry = self._entry(X)
        if self.score_by == "volume" and self.volumes is not None:
            return self.volumes.up_to(entry)[0]
        return np.asarray(1.0 - self._ties.beyond(entry) / self.total)

    def of(self, rows: IntArray) -> RowsRanking:
        """Return the ranking of some of the rows, with their ranks among all."""
        given = {name: getattr(self, name) for name in PER_ROW}
        taken: dict[str, Any] = {k: None if x is None else x[rows] for k, x in given.items()}
        return replace(self, **taken)

    @cached_property
    def _ties(self) -> Ties:
        assert self.entries is not None
        return Ties.among(self.entries, self.resolution)

    @cached_property
    def _rows_at(self) -> RowsAt:
        assert self.centres is not None
        return RowsAt.of(self.centres)

    def _entry(self, X: ArrayLike) -> FloatArray:
        points = np.ascontiguousarray(X, dtype=np.float64)
        return np.asarray(self.family.orientation * self.family.scan(points).first)


PER_ROW = (
    "points", "level", "mass_outside", "score", "rank", "tied", "violated", "volume",
    "volume_error",
)  # fmt: skip
"""Fields of a ranking with one entry for each row."""


def ranking_of(
    family: SetFamily,
    X: FloatArray,
    found: RankedRows,
    resolution: float,
    volumes: SetVolumes,
    centres: FloatArray,
) -> tuple[RowsRanking, RankingScores]:
    """Return all rows as a ranking, and their two scores."""
    total, entry = len(X), family.orientation * found.first
    volume, error = volumes.up_to(entry)
    ranking = RowsRanking(
        family=family,
        points=X,
        level=found.first,
        mass_outside=found.beyond / total,
        score=1.0 - found.beyond / total,
        rank=found.rank,
        tied=found.tied,
        violated=found.violated,
        resolution=resolution,
        volume=volume,
        volume_error=error,
        volumes=volumes,
        total=total,
        entries=entry,
        centres=centres,
    )
    counts = np.zeros(total, dtype=np.int64)
    scores = scores_of(Scan(found.first, found.last, found.violated, counts), family.orientation)
    share = extrapolated_share(family, found.first)
    return ranking, replace(scores, extrapolated=share)
