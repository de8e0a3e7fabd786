"""Thousands of small random problems: a sentence, or a sound fit."""

import numpy as np
import pytest
from computations import ESTIMATORS
from qpsolvers import solve_qp
from random_problems import examine, kernel_of, posed
from scipy import sparse

#: Problems of each estimator in every run, and in the nightly one.
FEW, MANY = 40, 10_000
#: Problems of the nightly run that one test examines.
BATCH = 500


def examined(name, seeds):
    """Return what is wrong, and how many of the problems could be fitted."""
    fitted, wrong = 0, []
    for seed in seeds:
        done, fault = examine(name, seed)
        fitted += done
        if fault:
            wrong.append((seed, fault))
    return fitted, wrong


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_random_problems_have_a_sound_answer(name):
    fitted, wrong = examined(name, range(FEW))
    assert wrong == []
    assert fitted > FEW // 4


@pytest.mark.nightly
@pytest.mark.parametrize("begin", range(FEW, MANY, BATCH))
@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_many_random_problems_have_a_sound_answer(name, begin):
    assert examined(name, range(begin, min(begin + BATCH, MANY)))[1] == []


#: Problems that were answered wrongly once: (estimator, seed).
FOUND = [
    # Fitted, with the level 0 of a path that ends before it reaches ν: no set could be asked for.
    ("OneClassPath", 0),
    ("OneClassPath", 72),
    # Fitted, with a level beyond the end of a path that could not be followed.
    ("CostSensitivePath", 2048),
]


@pytest.mark.parametrize(("name", "seed"), FOUND)
def test_problems_that_went_wrong_once(name, seed):
    assert examine(name, seed) == (True, "")


def quadratic(name, model, data):
    """Return the dual as a general solver has it: P, q, A, b, upper bounds, and α as a vector."""
    K, n = kernel_of(model, data["X"]), len(data["X"])
    w = data.get("sample_weight", np.ones(n))
    alpha = model.alpha_[0]
    if name == "NuOneClassSVM":
        return K, np.zeros(n), np.ones((1, n)), np.ones(1), w / w.sum() / model.nu, alpha
    if name == "OneClassSVM":
        return K / model.lam, -np.ones(n), None, None, w / w.sum(), alpha
    y = np.where(data["y"] == model.classes_[-1], 1.0, -1.0)
    cost = np.where(y > 0, model.gamma, 1.0 - model.gamma) * w
    P = K * np.outer(y, y)
    if name == "DualCostSVM":
        return P, -np.ones(n), y[None], np.zeros(1), model.C * cost, alpha
    return P / model.lam, -np.ones(n), None, None, cost, alpha


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", ["NuOneClassSVM", "OneClassSVM", "DualCostSVM", "CostSensitiveSVM"]
)
def test_no_general_solver_finds_a_better_objective(name):
    compared = 0
    for seed in range(120):
        model, data = posed(name, seed)
        if model.kernel != "gaussian" or not 1e-4 < getattr(model, "lam", 1.0) < 1e4:
            continue
        if not examine(name, seed)[0]:
            continue
        P, q, A, b, upper, alpha = quadratic(name, model.fit(**data), data)
        if not model.converged_ or (name != "NuOneClassSVM" and len(set(data.get("y", "ab"))) < 2):
            continue
        A = None if A is None else sparse.csc_matrix(A)
        found = solve_qp(
            sparse.csc_matrix(P), q, A=A, b=b, lb=np.zeros(len(q)), ub=upper, solver="clarabel",
            tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12,
        )  # fmt: skip
        if found is None:
            continue
        found = np.clip(found, 0.0, upper)
        mine, theirs = (0.5 * x @ P @ x + q @ x for x in (alpha, found))
        assert mine <= theirs + 1e-5 * abs(theirs) + 1e-9 * upper.sum(), seed
        compared += 1
    assert compared > 20
