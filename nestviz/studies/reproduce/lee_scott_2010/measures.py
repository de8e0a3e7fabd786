"""What the study measures of a family on test points, from one evaluation of its field."""

from __future__ import annotations

from dataclasses import dataclass

from nestviz.analysis.ranking import scores_of
from nestviz.analysis.roc import RocCurve, curve_of_entries, curve_of_intervals
from nestviz.arrays import FloatArray, IndexArray, IntArray
from nestviz.families import SetFamily
from nestviz.scan_results import Intervals, Scan


@dataclass(frozen=True, eq=False)
class Seen:
    """A family with the levels at which some points are inside."""

    family: SetFamily
    scan: Scan
    intervals: Intervals | None

    def curve(self, rows: IndexArray, signs: IntArray) -> RocCurve:
        """Return the ROC of some of the points; +1 for those that belong inside."""
        if self.intervals is None:
            return curve_of_entries(self.family, self.scan.first[rows], signs)
        return curve_of_intervals(self.family, self.intervals.take(rows), signs)

    def measures(self, rows: IndexArray, signs: IntArray) -> dict[str, float]:
        """Return AUC, AUC with ties as errors, and ranking disagreement of some of the points."""
        curve = self.curve(rows, signs)
        found = {"auc": curve.area, "strict": curve.area_without_ties}
        if self.intervals is not None:
            scores = scores_of(self.scan.take(rows), self.family.orientation)
            found["d"] = scores.disagreement
        return found


def see(family: SetFamily, X: FloatArray) -> Seen:
    """Evaluate a family at all points once."""
    if family.is_nested:
        return Seen(family, family.scan(X), None)
    scan, intervals = family.scan_with_intervals(X)
    return Seen(family, scan, intervals)
