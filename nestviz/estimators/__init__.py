"""scikit-learn estimators: validate, call one solver, keep a family."""

from nestviz.estimators.cost_sensitive import CostSensitiveSVM
from nestviz.estimators.cost_sensitive_path import CostSensitivePath
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.estimators.one_class import OneClassSVM
from nestviz.estimators.one_class_path import OneClassPath
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
