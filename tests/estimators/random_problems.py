"""Small random problems of every kind that a user can pose, and what a sound answer is.

A fit is refused with a ValueError that says something, or it is sound: no NaN, and coefficients
that are as near to the optimum as the certificate of the model claims. The claim is checked from
the coefficients of the original points and kernel values from differences of coordinates.
"""

import warnings

import numpy as np
from computations import ESTIMATORS, TWO_CLASS
from sklearn.base import clone

from nestviz import estimators
from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.solvers.box_sum.dual_svm import dual_cost_certificate, dual_nu_certificate
from nestviz.solvers.box_sum.nu_certificate import nu_certificate
from nestviz.solvers.nested.certificate import cost_sensitive_certificate, one_class_certificate
from nestviz.solvers.nested.feasible import settle_cost_sensitive, settle_one_class
from nestviz.solvers.quantile.certificate import quantile_certificate

#: A recomputed gap may exceed the one that was claimed by rounding.
ROUNDING = 1e-8
SEARCHES = ("MinimaxClassifier", "NeymanPearsonClassifier", "MinimumVolumeSet")
NU = ("NuOneClassSVM", "SoftBall", "ReflectedOneClassSVM", "CentredOneClassSVM")
QUANTILES = ("QuantileOneClassSVM", "IndependentOneClassSVM", "HierarchicalMVSets")


def power(rng, low, high):
    return float(10.0 ** rng.uniform(low, high))


def points(rng):
    """Return points: in general position, repeated, on a line, in one point, near and far."""
    n, d = int(rng.integers(1, 41)), int(rng.integers(1, 6))
    X = rng.normal(size=(n, d))
    kind = rng.integers(8)
    if kind == 1:
        X = np.round(X)
    elif kind == 2:
        X = X[rng.integers(0, max(1, n // 4), size=n)]
    elif kind == 3:
        X[:, rng.integers(d)] = 1.0
    elif kind == 4:
        X = np.outer(rng.normal(size=n), rng.normal(size=d))
    elif kind == 5:
        X[: n // 5] *= power(rng, 2, 8)
    elif kind == 6:
        X += power(rng, 0, 8)
    elif kind == 7:
        X = np.sign(X) * np.abs(X) ** 9
    scale = power(rng, -150, 150) if rng.random() < 0.2 else power(rng, -2, 2)
    return X * scale, scale


def weights(rng, n):
    kind = rng.integers(6)
    if kind < 3:
        return None
    w = rng.uniform(size=n) if kind < 5 else rng.integers(0, 3, size=n).astype(float)
    if kind == 4:
        w[rng.random(n) < 0.4] = 0.0
        w *= power(rng, -9, 9)
    return w


def levels(rng, low, high):
    """Return levels in any order, some of them twice."""
    count = int(rng.integers(1, 7))
    found = np.round(rng.uniform(low, high, size=count), int(rng.integers(1, 7)))
    return found if rng.random() < 0.5 else np.sort(found)


def share(rng):
    """Return a ν or γ: usual, extreme, or out of range."""
    usual = [rng.uniform(), rng.uniform(), power(rng, -9, 0), 1.0 - power(rng, -9, 0)]
    return float(
        [*usual, 1.0, 0.5, 0.0, 1.5][rng.choice(8, p=[0.25, 0.25, 0.15, 0.1, 0.1, 0.1, 0.03, 0.02])]
    )


def parameters(rng, name, scale):
    """Return constructor arguments."""
    made = {}
    if name not in SEARCHES:
        made["sigma"] = ["auto", "median", scale * power(rng, -3, 3), power(rng, -200, 200)][
            rng.choice(4, p=[0.3, 0.2, 0.4, 0.1])
        ]
    if name not in (*SEARCHES, "ParzenLevelSets"):
        made["kernel"] = str(
            rng.choice(["gaussian", "polynomial", "precomputed"], p=[0.7, 0.2, 0.1])
        )
        made["degree"] = int(rng.integers(1, 5))
    if name in (*NU, "OneClassPath"):
        made["nu"] = share(rng)
    if name in QUANTILES:
        made["quantiles"] = int(rng.integers(1, 12)) if rng.random() < 0.4 else levels(rng, 0, 1)
    if name in ("OneClassSVM", "CostSensitiveSVM", "CostSensitivePath", "NestedCostSensitiveSVM"):
        made["lam"] = power(rng, -9, 9) if rng.random() < 0.4 else power(rng, -2, 1)
    if name == "NestedOneClassSVM" and rng.random() < 0.6:
        made["levels"] = levels(rng, 0, 1) * power(rng, -6, 1)
    if name in ("CostSensitiveSVM", "OffsetCostSensitiveSVM"):
        made["gamma"] = share(rng)
    if name == "EtaOneClassPath":
        made["eta"] = power(rng, 0, 3)
    if name == "NestedCostSensitiveSVM":
        made["asymmetries"] = levels(rng, 0, 1) if rng.random() < 0.6 else int(rng.integers(1, 8))
    if name == "DualCostSVM":
        made |= {
            "C": power(rng, -9, 9) if rng.random() < 0.4 else power(rng, -1, 2),
            "gamma": share(rng),
        }
    if name == "DualNuSVM":
        made |= {"nu_plus": share(rng), "nu_minus": share(rng)}
    if name == "MinimaxProbabilityMachine":
        made["covariance_uncertainty"] = float(rng.choice([0.0, 0.01, power(rng, -9, 9)]))
    if name in SEARCHES:
        made |= {"nu_grid": 2, "sigmas": 2, "cv": 2, "random_state": int(rng.integers(100))}
    return made


def posed(name, seed):
    """Return an estimator and the arguments of its fit."""
    rng = np.random.default_rng([seed, sorted(ESTIMATORS).index(name)])
    X, scale = points(rng)
    model = getattr(estimators, name)(**parameters(rng, name, scale))
    data = {"X": X}
    if getattr(model, "kernel", "") == "precomputed":
        A = rng.normal(size=(len(X), int(rng.integers(1, 6))))
        data["X"] = A @ A.T
    w = weights(rng, len(X))
    if w is not None and name not in (*SEARCHES, "ParzenLevelSets"):
        data["sample_weight"] = w
    if name in TWO_CLASS:
        data["y"] = np.where(rng.random(len(X)) < rng.choice([0.0, 0.1, 0.5, 0.5, 0.9]), 1, -1)
    if name == "ReflectedOneClassSVM" and rng.random() < 0.5:
        data["outliers"] = X[: len(X) // 4 + 1] + scale * rng.normal()
    if name == "CentredOneClassSVM" and rng.random() < 0.5:
        data["others"] = X[: len(X) // 4 + 1] + scale * rng.normal()
    return model, data


def examine(name, seed):
    """Fit one problem; return whether it was fitted, and what is wrong with the answer."""
    model, data = posed(name, seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            model.fit(**data)
        except ValueError as error:
            # A sentence, and none that an array library made up.
            words = str(error).split()
            short = len(words) < 5 or "array must not contain" in str(error)
            return False, f"not a sentence: {error}" if short else ""
        return True, "; ".join(_faults(name, model, data))


def _faults(name, model, data):
    yield from (f"NaN in {key}" for key in _with_nan(vars(model)))
    X = data["X"]
    inside = model.decision_function(X)
    if np.isnan(inside).any():
        yield "NaN in decision_function"
    answers = model.predict(X)
    if not np.isin(answers, getattr(model, "classes_", [-1, 1])).all():
        yield "predict gives neither class"
    if not np.array_equal(clone(model).fit(**data).decision_function(X), inside):
        yield "a second fit differs"
    for claim, found in _certificates(name, model, data):
        if not found <= claim + ROUNDING + _noise(model, data):
            yield f"claims a gap of {claim:.1e}, and it is {found:.1e}"


def _noise(model, data):
    """Return the rounding of the field in units of the margin where coefficients cancel."""
    if not hasattr(model, "lam") or model.kernel == "gaussian":
        return 0.0
    lengths = np.sqrt(np.diagonal(kernel_of(model, data["X"])))
    return 1e-14 * (np.abs(model.alpha_).max(axis=0) @ lengths) * lengths.max() / model.lam


def _with_nan(kept):
    for key, value in kept.items():
        if isinstance(value, (float, np.floating)) and np.isnan(value):
            yield key
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isnan(value).any():
            yield key


def kernel_of(model, X):
    """Return the kernel matrix by differences, or None where another kernel stands behind."""
    if getattr(model, "kernel", "gaussian") == "precomputed":
        return X
    if model.kernel == "polynomial":
        return PolynomialKernel(model.degree).gram(X, X)
    return GaussianKernel(model.sigma_).gram_by_differences(X, X)


def _certificates(name, model, data):
    """Yield pairs: the gap that a converged model claims, and the gap of its coefficients."""
    if not getattr(model, "converged_", False) or {"outliers", "others"} & set(data):
        return
    X, tol = data["X"], getattr(model, "tol", 1e-6)
    w = data.get("sample_weight", np.ones(len(X)))
    claim = max(model.duality_gap_, tol)
    if name in (*SEARCHES, "MinimaxProbabilityMachine", "ParzenLevelSets"):
        return
    K, u = kernel_of(model, X), w / w.sum()
    if name in TWO_CLASS:
        y = np.where(data["y"] == model.classes_[-1], 1.0, -1.0)
        if len(model.classes_) == 1 and model.classes_[0] == -1:
            y = -np.ones(len(X))
    if name in ("OneClassSVM", "NestedOneClassSVM"):
        at = np.array([model.lam]) if name == "OneClassSVM" else model.levels_
        order = np.argsort(-at, kind="stable")
        alpha = settle_one_class(model.alpha_[order], u, at[order])
        assert _same(alpha, model.alpha_[order])
        yield claim, one_class_certificate(K, alpha, u, at[order]).duality_gap
    elif name == "NuOneClassSVM":
        yield (
            claim,
            nu_certificate(K, model.alpha_[0], _above(model.alpha_, u / model.nu)[0]).duality_gap,
        )
    elif name == "SoftBall":
        q = 0.5 * np.diagonal(K)
        found = nu_certificate(K, model.alpha_[0], _above(model.alpha_, u / model.nu)[0], linear=q)
        yield claim, found.duality_gap
    elif name == "QuantileOneClassSVM":
        yield claim, quantile_certificate(K, model.alpha_, u, model.quantiles_).duality_gap
    elif name == "DualCostSVM":
        yield (
            claim,
            dual_cost_certificate(K, model.alpha_[0], y, w, model.C, model.gamma).duality_gap,
        )
    elif name == "DualNuSVM" and not model.is_trivial_:
        nus = model.nu_plus, model.nu_minus
        yield claim, dual_nu_certificate(K, model.alpha_[0], y, w, *nus).duality_gap
    elif name in ("CostSensitiveSVM", "OffsetCostSensitiveSVM", "NestedCostSensitiveSVM"):
        nested = name == "NestedCostSensitiveSVM"
        at = model.asymmetries_ if nested else np.array([model.gamma])
        alpha = settle_cost_sensitive(model.alpha_, y, w, at)
        assert _same(alpha, model.alpha_)
        yield claim, cost_sensitive_certificate(K, alpha, y, w, model.lam, at).duality_gap


def _same(alpha, given):
    """Return whether coefficients that satisfy the constraints exactly are the given ones."""
    return np.allclose(alpha, given, rtol=1e-12, atol=1e-300)


def _above(alpha, upper):
    """Return bounds that rounding of the shares of a point does not violate."""
    return np.maximum(upper, alpha)
