"""Three choices of points to leave out, for worker processes."""

from __future__ import annotations

from nestviz.analysis.nu.left_out import LeftOut, best_left_out, greedy_left_out, nu_left_out
from nestviz.arrays import FloatArray
from nestviz.kernels import GaussianKernel
from nestviz.ui.compute.tasks import Report

BEST, GREEDY, NU = "Best choice", "One after the other", "By the ν-SVM"


def choices(X: FloatArray, sigma: float, count: int, report: Report) -> dict[str, LeftOut]:
    """Return the best choice, the greedy one, and that of the ν one-class SVM."""
    K, visited = GaussianKernel(sigma).gram(X, X), 0

    def stopped() -> bool:
        nonlocal visited
        visited += 1
        return report(0.0, f"{visited:,} branches")

    return {
        BEST: best_left_out(K, count, stopped=stopped),
        GREEDY: greedy_left_out(K, count),
        NU: nu_left_out(K, count),
    }
