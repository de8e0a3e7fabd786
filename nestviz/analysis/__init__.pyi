import nestviz.volume as _volume

from .coverage import at_masses, coverage_ratio
from .density import density_rank
from .level_sweep import sweep
from .method_comparison import compare_methods, critical_difference, friedman, nemenyi, wilcoxon
from .minimum_volume import minimum_volume_set
from .nesting import nesting_report
from .nu.bounds import generalisation_bound, leave_one_out
from .nu.fractions import move_outlier, moved_outlier_values, nu_curve, nu_property
from .nu.offsets import between_sets
from .outliers import outlier_ranking
from .ranking import ranking_disagreement, ranking_scores
from .rate_scores import (
    error_rate,
    minimax_score,
    minimum_volume_score,
    neyman_pearson_score,
    score_table,
)
from .roc import auc, auc_minus_disagreement, roc_curve
from .tree.cluster_tree import cluster_tree
from .tree.pixel_tree import pixel_tree

integrated_volume = _volume.integrated_volume
mass_volume_curve = _volume.mass_volume_curve
pixel_reference = _volume.pixel_reference
select_bandwidth = _volume.select_bandwidth
uniform_reference = _volume.uniform_reference

__all__ = [
    "at_masses",
    "auc",
    "auc_minus_disagreement",
    "between_sets",
    "cluster_tree",
    "compare_methods",
    "coverage_ratio",
    "critical_difference",
    "density_rank",
    "error_rate",
    "friedman",
    "generalisation_bound",
    "integrated_volume",
    "leave_one_out",
    "mass_volume_curve",
    "minimax_score",
    "minimum_volume_score",
    "minimum_volume_set",
    "move_outlier",
    "moved_outlier_values",
    "nemenyi",
    "nesting_report",
    "neyman_pearson_score",
    "nu_curve",
    "nu_property",
    "outlier_ranking",
    "pixel_reference",
    "pixel_tree",
    "ranking_disagreement",
    "ranking_scores",
    "roc_curve",
    "score_table",
    "select_bandwidth",
    "sweep",
    "uniform_reference",
    "wilcoxon",
]
