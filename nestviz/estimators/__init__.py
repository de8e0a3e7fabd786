"""scikit-learn estimators: validate, call one solver, keep a family."""

from nestviz.estimators.cost_sensitive import (
    CostSensitivePath,
    CostSensitiveSVM,
    NestedCostSensitiveSVM,
)
from nestviz.estimators.one_class import NestedOneClassSVM, OneClassPath, OneClassSVM
from nestviz.estimators.parzen import ParzenLevelSets

__all__ = [
    "CostSensitivePath",
    "CostSensitiveSVM",
    "NestedCostSensitiveSVM",
    "NestedOneClassSVM",
    "OneClassPath",
    "OneClassSVM",
    "ParzenLevelSets",
]
