from . import analysis as analysis
from . import data as data
from . import estimators as estimators
from . import figures as figures
from . import volume as volume
from .data import DataError, Dataset, make_sample
from .estimators import (
    CentredOneClassSVM,
    ConformalLabels,
    ConformalSets,
    CostSensitivePath,
    CostSensitiveSVM,
    DualCostSVM,
    DualNuSVM,
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
    family_over_nu,
    load_model,
    nu_family,
    save_model,
)
from .families import SetFamily, UnionFamily
from .grids import Grid, Plane
from .intersections import IntersectionFamily
from .kernels import GaussianKernel, PolynomialKernel
from .solvers.records import Progress
from .volume import select_bandwidth

__version__: str

__all__ = [
    "CentredOneClassSVM",
    "ConformalLabels",
    "ConformalSets",
    "CostSensitivePath",
    "CostSensitiveSVM",
    "DataError",
    "Dataset",
    "DualCostSVM",
    "DualNuSVM",
    "EtaOneClassPath",
    "GaussianKernel",
    "Grid",
    "HierarchicalMVSets",
    "IndependentOneClassSVM",
    "IntersectionFamily",
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
    "Plane",
    "PolynomialKernel",
    "Progress",
    "QuantileOneClassSVM",
    "Quantised",
    "ReflectedOneClassSVM",
    "SetFamily",
    "SoftBall",
    "UnionFamily",
    "__version__",
    "analysis",
    "data",
    "estimators",
    "family_over_nu",
    "figures",
    "load_model",
    "make_sample",
    "nu_family",
    "save_model",
    "select_bandwidth",
    "volume",
]
