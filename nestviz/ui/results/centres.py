"""Weighted centres of many rows, kept like every other result."""

from __future__ import annotations

from dataclasses import dataclass

from nestviz.data import Dataset, subsample
from nestviz.data.dataset import subsample_rows
from nestviz.quantisation.row_centres import RowCentres
from nestviz.ui.compute import all_rows
from nestviz.ui.results import cache, jobs
from nestviz.ui.session.view import stop_page

SEED = 0
MEASURED = 1_500
"""Rows by which what single points do is measured."""
LONG = 50_000
"""With more rows than this, a worker process chooses the centres."""


@dataclass(frozen=True, eq=False)
class ManyRows:
    """All rows, and the weighted centres that stand for them."""

    source: Dataset  # All features
    fitted: Dataset  # In the space of the fit: the source, or its projection
    found: RowCentres

    @property
    def n(self) -> int:
        """Number of rows."""
        return self.fitted.n

    @property
    def sample(self) -> Dataset:
        """A seeded sample of the rows, by which what single points do is measured."""
        return _sample(self.fitted)

    @property
    def source_sample(self) -> Dataset:
        """The same rows with all features."""
        if self.source is self.fitted:
            return self.sample
        return _same_rows(self.fitted, self.source)


@cache.kept()
def _sample(rows: Dataset) -> Dataset:
    return subsample(rows, MEASURED, SEED)


@cache.kept()
def _same_rows(rows: Dataset, source: Dataset) -> Dataset:
    drawn = subsample_rows(rows, MEASURED, SEED)
    return source.take(drawn, f"{len(drawn):,} of {source.n:,} points were drawn at random.")


def of(rows: Dataset, count: int) -> RowCentres:
    """Return the centres of rows; stop the page where the search was cancelled."""
    found = jobs.run(
        (rows, count),
        all_rows.choose_centres,
        rows.X,
        rows.y,
        count,
        SEED,
        title=f"Choosing {count:,} centres for {rows.n:,} rows",
        long=rows.n > LONG,
    )
    if found is None:
        stop_page()
    return found
