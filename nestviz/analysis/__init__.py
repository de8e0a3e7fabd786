"""Measures of families: mass and volume, bandwidth, ranking, ROC, outliers, nesting, trees."""

from importlib import import_module

# Loaded when first asked for: a page that only draws sets should not wait for trees.
_HOMES = {
    "auc": "nestviz.analysis.roc",
    "auc_minus_disagreement": "nestviz.analysis.roc",
    "cluster_tree": "nestviz.analysis.cluster_trees",
    "density_rank": "nestviz.analysis.density",
    "integrated_volume": "nestviz.volume",
    "mass_volume_curve": "nestviz.volume",
    "minimum_volume_set": "nestviz.analysis.minimum_volume",
    "nesting_report": "nestviz.analysis.nesting",
    "outlier_ranking": "nestviz.analysis.outliers",
    "pixel_reference": "nestviz.volume",
    "pixel_tree": "nestviz.analysis.pixel_trees",
    "ranking_disagreement": "nestviz.analysis.ranking",
    "ranking_scores": "nestviz.analysis.ranking",
    "roc_curve": "nestviz.analysis.roc",
    "select_bandwidth": "nestviz.volume",
    "sweep": "nestviz.analysis.sweeps",
    "uniform_reference": "nestviz.volume",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'nestviz.analysis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
