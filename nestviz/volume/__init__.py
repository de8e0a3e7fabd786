"""Mass and volume of families of sets, and the bandwidth that makes the volume least."""

from nestviz.volume.bandwidth import (
    BandwidthSelection,
    BandwidthWarning,
    MarginEffect,
    default_sigmas,
    margin_effect,
    select_bandwidth,
)
from nestviz.volume.curves import MassVolumeCurve, mass_volume_curve
from nestviz.volume.draws import draw_reference
from nestviz.volume.excess import ExcessMass
from nestviz.volume.integrated import IntegratedVolume, integrated_volume
from nestviz.volume.reference import Reference, pixel_reference, uniform_reference
from nestviz.volume.rules import (
    SupportVectorRule,
    bandwidth_rules,
    distance_rules,
    support_vector_rule,
)
from nestviz.volume.thinning import thin

__all__ = [
    "BandwidthSelection",
    "BandwidthWarning",
    "ExcessMass",
    "IntegratedVolume",
    "MarginEffect",
    "MassVolumeCurve",
    "Reference",
    "SupportVectorRule",
    "bandwidth_rules",
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
