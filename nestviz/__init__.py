"""nestviz: families of SVM decision sets, whole solution paths, and sets that never cross.

Every method ends in one object, a :class:`~nestviz.families.SetFamily`: sets
``G_θ = {x : Σ_i c_i(θ) k(x_i, x) > r(θ)}`` whose coefficients and offset are piecewise linear in
the level θ. Levels, intervals, rankings and trees all follow from it, exactly.
"""

from importlib import import_module

__version__ = "0.1.0"

# Public names and where they live. They are loaded when first asked for: scikit-learn alone takes
# a second to import, and a page that shows a title should not wait for it.
_HOMES = {
    "SetFamily": "nestviz.families",
    "UnionFamily": "nestviz.families",
    "IntersectionFamily": "nestviz.intersections",
    "Grid": "nestviz.grids",
    "Plane": "nestviz.grids",
    "GaussianKernel": "nestviz.kernels",
    "PolynomialKernel": "nestviz.kernels",
    "CentredOneClassSVM": "nestviz.estimators",
    "CostSensitivePath": "nestviz.estimators",
    "CostSensitiveSVM": "nestviz.estimators",
    "DualCostSVM": "nestviz.estimators",
    "DualNuSVM": "nestviz.estimators",
    "HierarchicalMVSets": "nestviz.estimators",
    "IndependentOneClassSVM": "nestviz.estimators",
    "MinimaxClassifier": "nestviz.estimators",
    "MinimaxProbabilityMachine": "nestviz.estimators",
    "MinimumVolumeSet": "nestviz.estimators",
    "NestedCostSensitiveSVM": "nestviz.estimators",
    "NestedOneClassSVM": "nestviz.estimators",
    "NeymanPearsonClassifier": "nestviz.estimators",
    "NuOneClassSVM": "nestviz.estimators",
    "OneClassPath": "nestviz.estimators",
    "OneClassSVM": "nestviz.estimators",
    "ParzenLevelSets": "nestviz.estimators",
    "QuantileOneClassSVM": "nestviz.estimators",
    "ReflectedOneClassSVM": "nestviz.estimators",
    "SoftBall": "nestviz.estimators",
    "nu_family": "nestviz.estimators",
    "select_bandwidth": "nestviz.volume",
    "Dataset": "nestviz.data",
    "DataError": "nestviz.data",
    "load_model": "nestviz.estimators.model_files",
    "save_model": "nestviz.estimators.model_files",
    "make_sample": "nestviz.data",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'nestviz' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
