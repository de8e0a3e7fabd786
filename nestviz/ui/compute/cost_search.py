"""The search for σ and λ of two classes, for worker processes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.cost_selection import CostSelection, CostTrials
from nestviz.arrays import FloatArray
from nestviz.ui.compute.methods import Spec
from nestviz.ui.compute.tasks import Report


def search(
    spec: Spec,
    sigmas: tuple[float, ...],
    lams: tuple[float, ...],
    folds: int,
    X: FloatArray,
    y: NDArray[np.int8],
    report: Report,
) -> CostSelection | None:
    """Score a method at every σ and λ by the AUC of held-out points; None if nothing is finished.

    ``spec`` has the method and its other settings; its own σ and λ are not used.
    """
    trials = CostTrials(X, y, spec.unfitted(X), sigmas, lams, cv=folds)

    def heard(progress: Any) -> bool:
        width = (progress.done - 1) // folds + 1
        text = f"width {width} of {len(sigmas)}, {len(lams)} values of λ each"
        return report(progress.share, text, partial=_finished(trials))

    trials.run(heard)
    return _finished(trials)


def _finished(trials: CostTrials) -> CostSelection | None:
    found = trials.selection()
    return None if np.isnan(found.scores).all() else found
