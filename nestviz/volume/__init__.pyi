from .bandwidth import (
    BandwidthSelection,
    BandwidthWarning,
    MarginEffect,
    default_sigmas,
    margin_effect,
    select_bandwidth,
)
from .bootstrap import BandwidthBootstrap, bootstrap_bandwidth
from .curves import MassVolumeCurve, mass_volume_curve
from .draws import draw_reference
from .excess import ExcessMass
from .integrated import IntegratedVolume, integrated_volume
from .reference import Reference, pixel_reference, uniform_reference
from .rules import SupportVectorRule, bandwidth_rules, distance_rules, support_vector_rule
from .thinning import thin

__all__ = [
    "BandwidthBootstrap",
    "BandwidthSelection",
    "BandwidthWarning",
    "ExcessMass",
    "IntegratedVolume",
    "MarginEffect",
    "MassVolumeCurve",
    "Reference",
    "SupportVectorRule",
    "bandwidth_rules",
    "bootstrap_bandwidth",
    "default_sigmas",
    "distance_rules",
    "draw_reference",
    "integrated_volume",
    "margin_effect",
    "mass_volume_curve",
    "pixel_reference",
    "select_bandwidth",
    "support_vector_rule",
    "thin",
    "uniform_reference",
]
