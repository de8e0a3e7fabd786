"""Measures of families: mass and volume, bandwidth, ranking, ROC, outliers, nesting, trees."""

from importlib import import_module

# Loaded on first use: a page that only draws sets should not wait for trees.
_HOMES = {
    "BetweenSet": "nestviz.analysis.nu.offsets",
    "Comparison": "nestviz.analysis.method_comparison",
    "Contributions": "nestviz.analysis.contributions",
    "CoverageRatio": "nestviz.analysis.coverage",
    "DensityRank": "nestviz.analysis.density",
    "Flags": "nestviz.analysis.flags",
    "FriedmanTest": "nestviz.analysis.method_comparison",
    "GeneralisationBound": "nestviz.analysis.nu.bounds",
    "LeaveOneOut": "nestviz.analysis.nu.bounds",
    "MassLevel": "nestviz.analysis.minimum_volume",
    "MovedOutlier": "nestviz.analysis.nu.fractions",
    "NemenyiTest": "nestviz.analysis.method_comparison",
    "NestingReport": "nestviz.analysis.nesting",
    "NuCurve": "nestviz.analysis.nu.fractions",
    "NuProperty": "nestviz.analysis.nu.fractions",
    "OutlierRanking": "nestviz.analysis.outliers",
    "QuantileSets": "nestviz.analysis.quantiles",
    "RankingScores": "nestviz.analysis.ranking",
    "Rate": "nestviz.analysis.rate_scores",
    "RocCurve": "nestviz.analysis.roc",
    "Score": "nestviz.analysis.rate_scores",
    "SignedRanks": "nestviz.analysis.method_comparison",
    "Sweep": "nestviz.analysis.level_sweep",
    "Tree": "nestviz.analysis.tree.tree",
    "TreeLayout": "nestviz.analysis.tree.layout",
    "WorstPair": "nestviz.analysis.nesting",
    "ambiguously_ranked": "nestviz.analysis.ranking",
    "at_masses": "nestviz.analysis.coverage",
    "auc": "nestviz.analysis.roc",
    "auc_minus_disagreement": "nestviz.analysis.roc",
    "between_sets": "nestviz.analysis.nu.offsets",
    "cluster_counts": "nestviz.analysis.tree.layout",
    "cluster_tree": "nestviz.analysis.tree.cluster_tree",
    "compare_methods": "nestviz.analysis.method_comparison",
    "coverage_ratio": "nestviz.analysis.coverage",
    "critical_difference": "nestviz.analysis.method_comparison",
    "density_rank": "nestviz.analysis.density",
    "detection_auc": "nestviz.analysis.flags",
    "error_rate": "nestviz.analysis.rate_scores",
    "flag_outliers": "nestviz.analysis.flags",
    "friedman": "nestviz.analysis.method_comparison",
    "generalisation_bound": "nestviz.analysis.nu.bounds",
    "integrated_volume": "nestviz.volume",
    "label_pixels": "nestviz.analysis.tree.pixel_tree",
    "leave_one_out": "nestviz.analysis.nu.bounds",
    "mass_volume_curve": "nestviz.volume",
    "minimax_score": "nestviz.analysis.rate_scores",
    "minimum_volume_score": "nestviz.analysis.rate_scores",
    "minimum_volume_set": "nestviz.analysis.minimum_volume",
    "move_outlier": "nestviz.analysis.nu.fractions",
    "moved_outlier_values": "nestviz.analysis.nu.fractions",
    "nemenyi": "nestviz.analysis.method_comparison",
    "nesting_report": "nestviz.analysis.nesting",
    "neyman_pearson_score": "nestviz.analysis.rate_scores",
    "nu_curve": "nestviz.analysis.nu.fractions",
    "nu_property": "nestviz.analysis.nu.fractions",
    "outlier_ranking": "nestviz.analysis.outliers",
    "outline": "nestviz.analysis.level_sweep",
    "pixel_reference": "nestviz.volume",
    "pixel_tree": "nestviz.analysis.tree.pixel_tree",
    "quantile_sets": "nestviz.analysis.quantiles",
    "ranking_disagreement": "nestviz.analysis.ranking",
    "ranking_scores": "nestviz.analysis.ranking",
    "roc_curve": "nestviz.analysis.roc",
    "score_table": "nestviz.analysis.rate_scores",
    "select_bandwidth": "nestviz.volume",
    "sweep": "nestviz.analysis.level_sweep",
    "sweep_levels": "nestviz.analysis.level_sweep",
    "tree_layout": "nestviz.analysis.tree.layout",
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
