"""A first fit, which loads the modules and the compiled kernels that most work needs."""

from __future__ import annotations


def fit_a_few_points() -> None:
    """Fit the one-class SVMs to a few points: what is slow is done before somebody waits for it."""
    import numpy as np

    from nestviz.analysis.level_sweep import sweep
    from nestviz.estimators import NestedOneClassSVM, OneClassPath
    from nestviz.grids import Grid

    X = np.random.default_rng(0).normal(size=(12, 2))
    for estimator in (OneClassPath(1.0), NestedOneClassSVM(1.0)):
        sweep(estimator.fit(X).family_, Grid.around(X, resolution=4), X)
