"""scikit-learn estimators: validate, call one solver, keep a family."""

from nestviz.estimators.cost_sensitive import CostSensitiveSVM
from nestviz.estimators.cost_sensitive_path import CostSensitivePath
from nestviz.estimators.dual_cost import DualCostSVM
from nestviz.estimators.dual_nu import DualNuSVM
from nestviz.estimators.error_control.classifiers import MinimaxClassifier, NeymanPearsonClassifier
from nestviz.estimators.error_control.rate_tables import ErrorOracle, ErrorTable, error_table
from nestviz.estimators.error_control.search import Search
from nestviz.estimators.hierarchical_sets import HierarchicalMVSets
from nestviz.estimators.independent_one_class import IndependentOneClassSVM
from nestviz.estimators.minimax_machine import MinimaxProbabilityMachine
from nestviz.estimators.minimum_volume_set import MinimumVolumeSet
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.estimators.nu_path import nu_family
from nestviz.estimators.nu_variants import CentredOneClassSVM, ReflectedOneClassSVM
from nestviz.estimators.one_class import OneClassSVM
from nestviz.estimators.one_class_path import OneClassPath
from nestviz.estimators.parzen import ParzenLevelSets
from nestviz.estimators.quantile_one_class import QuantileOneClassSVM
from nestviz.estimators.soft_ball import SoftBall

__all__ = [
    "CentredOneClassSVM",
    "CostSensitivePath",
    "CostSensitiveSVM",
    "DualCostSVM",
    "DualNuSVM",
    "ErrorOracle",
    "ErrorTable",
    "HierarchicalMVSets",
    "IndependentOneClassSVM",
    "MinimaxClassifier",
    "MinimaxProbabilityMachine",
    "MinimumVolumeSet",
    "NestedCostSensitiveSVM",
    "NestedOneClassSVM",
    "NeymanPearsonClassifier",
    "NuOneClassSVM",
    "OneClassPath",
    "OneClassSVM",
    "ParzenLevelSets",
    "QuantileOneClassSVM",
    "ReflectedOneClassSVM",
    "Search",
    "SoftBall",
    "error_table",
    "nu_family",
]
