from .conformal_labels import ConformalLabels
from .conformal_sets import ConformalSets
from .cost_sensitive import CostSensitiveSVM
from .cost_sensitive_path import CostSensitivePath
from .dual_cost import DualCostSVM
from .dual_nu import DualNuSVM
from .dual_problem import ErrorRates
from .entry_levels import EntryLevels
from .error_control.classifiers import MinimaxClassifier, NeymanPearsonClassifier
from .error_control.rate_record import ErrorTable
from .error_control.rate_tables import ErrorOracle, error_table
from .error_control.search import Search
from .error_control.umbrella import held_threshold, needed_negatives
from .eta_one_class_path import EtaOneClassPath
from .hierarchical_sets import HierarchicalMVSets
from .independent_one_class import IndependentOneClassSVM
from .minimax_machine import MinimaxProbabilityMachine
from .minimum_volume_set import MinimumVolumeSet
from .model_files import load_model, save_model
from .nested_cost_sensitive import NestedCostSensitiveSVM
from .nested_one_class import NestedOneClassSVM
from .nu_one_class import NuOneClassSVM
from .nu_path import nu_family
from .nu_sweep import family_over_nu
from .nu_variants import CentredOneClassSVM, ReflectedOneClassSVM
from .offset_cost_sensitive import OffsetCostSensitiveSVM
from .one_class import OneClassSVM
from .one_class_machine import OneClassMinimaxMachine
from .one_class_path import OneClassPath
from .parzen import ParzenLevelSets
from .quantile_one_class import QuantileOneClassSVM
from .quantised import Quantised
from .soft_ball import SoftBall
from .vector_quantizer import KernelVectorQuantizer

__all__ = [
    "CentredOneClassSVM",
    "ConformalLabels",
    "ConformalSets",
    "CostSensitivePath",
    "CostSensitiveSVM",
    "DualCostSVM",
    "DualNuSVM",
    "EntryLevels",
    "ErrorOracle",
    "ErrorRates",
    "ErrorTable",
    "EtaOneClassPath",
    "HierarchicalMVSets",
    "IndependentOneClassSVM",
    "KernelVectorQuantizer",
    "MinimaxClassifier",
    "MinimaxProbabilityMachine",
    "MinimumVolumeSet",
    "NestedCostSensitiveSVM",
    "NestedOneClassSVM",
    "NeymanPearsonClassifier",
    "NuOneClassSVM",
    "OffsetCostSensitiveSVM",
    "OneClassMinimaxMachine",
    "OneClassPath",
    "OneClassSVM",
    "ParzenLevelSets",
    "QuantileOneClassSVM",
    "Quantised",
    "ReflectedOneClassSVM",
    "Search",
    "SoftBall",
    "error_table",
    "family_over_nu",
    "held_threshold",
    "load_model",
    "needed_negatives",
    "nu_family",
    "save_model",
]
