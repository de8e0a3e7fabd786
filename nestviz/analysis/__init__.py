"""Measures of families: mass and volume, bandwidth, ranking, ROC, outliers, nesting, trees."""

from importlib import import_module

# Loaded when first asked for: a page that only draws sets should not wait for trees.
_HOMES = {
    "at_masses": "nestviz.analysis.coverage",
    "auc": "nestviz.analysis.roc",
    "auc_minus_disagreement": "nestviz.analysis.roc",
    "between_sets": "nestviz.analysis.nu.offsets",
    "cluster_tree": "nestviz.analysis.tree.cluster_tree",
    "compare_methods": "nestviz.analysis.method_comparison",
    "coverage_ratio": "nestviz.analysis.coverage",
    "critical_difference": "nestviz.analysis.method_comparison",
    "density_rank": "nestviz.analysis.density",
    "error_rate": "nestviz.analysis.rate_scores",
    "friedman": "nestviz.analysis.method_comparison",
    "generalisation_bound": "nestviz.analysis.nu.bounds",
    "integrated_volume": "nestviz.volume",
    "leave_one_out": "nestviz.analysis.nu.bounds",
    "mass_volume_curve": "nestviz.volume",
    "minimax_score": "nestviz.analysis.rate_scores",
    "minimum_volume_score": "nestviz.analysis.rate_scores",
    "minimum_volume_set": "nestviz.analysis.minimum_volume",
    "move_outlier": "nestviz.analysis.nu.fractions",
    "moved_outlier_values": "nestviz.analysis.nu.fractions",
    "nesting_report": "nestviz.analysis.nesting",
    "nemenyi": "nestviz.analysis.method_comparison",
    "neyman_pearson_score": "nestviz.analysis.rate_scores",
    "nu_curve": "nestviz.analysis.nu.fractions",
    "nu_property": "nestviz.analysis.nu.fractions",
    "outlier_ranking": "nestviz.analysis.outliers",
    "pixel_reference": "nestviz.volume",
    "pixel_tree": "nestviz.analysis.tree.pixel_tree",
    "ranking_disagreement": "nestviz.analysis.ranking",
    "ranking_scores": "nestviz.analysis.ranking",
    "roc_curve": "nestviz.analysis.roc",
    "score_table": "nestviz.analysis.rate_scores",
    "select_bandwidth": "nestviz.volume",
    "sweep": "nestviz.analysis.level_sweep",
    "uniform_reference": "nestviz.volume",
    "wilcoxon": "nestviz.analysis.method_comparison",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Load a public name on first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'nestviz.analysis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
