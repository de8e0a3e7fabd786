"""What every estimator promises: scikit-learn's own checks, one sign, one order."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from nestviz.estimators import (
    CentredOneClassSVM,
    ConformalLabels,
    ConformalSets,
    CostSensitivePath,
    CostSensitiveSVM,
    DualCostSVM,
    DualNuSVM,
    EntryLevels,
    EtaOneClassPath,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    KernelVectorQuantizer,
    MinimaxClassifier,
    MinimaxProbabilityMachine,
    MinimumVolumeSet,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    NeymanPearsonClassifier,
    NuOneClassSVM,
    OffsetCostSensitiveSVM,
    OneClassMinimaxMachine,
    OneClassPath,
    OneClassSVM,
    ParzenLevelSets,
    QuantileOneClassSVM,
    Quantised,
    ReflectedOneClassSVM,
    SoftBall,
)

# Searches over a few widths and rates need not find what was asked for, and say so.
pytestmark = pytest.mark.filterwarnings("ignore:No set of the search:UserWarning")

# scikit-learn compares fits to seven digits, so the iterative solvers are asked for more.
ONE_CLASS = [
    ParzenLevelSets(sigma=1.0),
    OneClassSVM(sigma=1.0, lam=0.05, tol=1e-13),
    OneClassPath(sigma=1.0),
    EtaOneClassPath(sigma=1.0),
    NestedOneClassSVM(sigma=1.0, tol=1e-13),
    NestedOneClassSVM(sigma=1.0, levels="adaptive", tol=1e-13),
    NuOneClassSVM(sigma=1.0, tol=1e-13),
    SoftBall(sigma=1.0, tol=1e-13),
    ReflectedOneClassSVM(sigma=1.0, tol=1e-13),
    CentredOneClassSVM(sigma=1.0, tol=1e-13),
    QuantileOneClassSVM(sigma=1.0, tol=1e-13),
    IndependentOneClassSVM(sigma=1.0, tol=1e-13),
    HierarchicalMVSets(sigma=1.0, tol=1e-13),
    OneClassMinimaxMachine(sigma=1.0),
    MinimumVolumeSet(nu_grid=3, sigmas=[0.5, 2.0], cv=2, tol=1e-9),
    MinimumVolumeSet(0.8, "one-class", nu_grid=[0.1, 0.3], sigmas=[0.5, 2.0], cv=2, tol=1e-13),
]
TWO_CLASS = [
    CostSensitiveSVM(tol=1e-13),
    CostSensitivePath(),
    OffsetCostSensitiveSVM(tol=1e-13),
    NestedCostSensitiveSVM(tol=1e-13),
    NestedCostSensitiveSVM(asymmetries="adaptive", tol=1e-13),
    DualCostSVM(tol=1e-9),
    DualNuSVM(tol=1e-9),
    MinimaxClassifier(nu_grid=3, sigmas=2, cv=2, tol=1e-9),
    NeymanPearsonClassifier(0.5, strategy="coordinate-3d", nu_grid=3, sigmas=2, cv=2, tol=1e-9),
    MinimaxProbabilityMachine(),
]

OTHERS = [
    Quantised(NestedOneClassSVM(sigma=1.0, tol=1e-13), random_state=0),
    Quantised(NestedCostSensitiveSVM(tol=1e-13), random_state=0),
    KernelVectorQuantizer(),
    KernelVectorQuantizer(1.0, exact=True),
    ConformalSets(ParzenLevelSets(sigma=1.0), random_state=0),
    ConformalLabels(ParzenLevelSets(sigma=1.0), random_state=0),
    EntryLevels(ParzenLevelSets(sigma=1.0)),
    EntryLevels(OneClassPath(sigma=1.0), "last"),
]


@parametrize_with_checks([*ONE_CLASS, *TWO_CLASS, *OTHERS])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ONE_CLASS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("seed", range(3))
def test_positive_means_inside(estimator, seed):
    X = np.random.default_rng(seed).normal(size=(60, 2))
    fitted = estimator.fit(X)
    far = np.full((1, 2), 50.0)
    assert fitted.decision_function(far)[0] < 0
    assert fitted.predict(far)[0] == -1
    decision, answer = fitted.decision_function(X), fitted.predict(X)
    np.testing.assert_array_equal(answer[decision > 0], 1)
    np.testing.assert_array_equal(answer[decision < 0], -1)
    np.testing.assert_array_equal(fitted.family_.contains(X, fitted.level_), decision >= 0)
    np.testing.assert_array_equal(answer == 1, decision >= 0)
    assert (decision >= 0).mean() > 0.5
