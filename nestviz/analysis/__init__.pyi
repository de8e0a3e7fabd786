import nestviz.volume as _volume

from .contributions import Contributions
from .cost_selection import CostSelection, select_cost_sensitive
from .coverage import CoverageRatio, at_masses, coverage_ratio, promised_band
from .density import DensityRank, density_rank
from .density_estimate import DensityEstimate, density_estimate
from .feature_profiles import FeatureProfile, Neighbours, feature_profile, nearest_points
from .flags import Flags, detection_auc, flag_outliers
from .level_sweep import Sweep, outline, sweep, sweep_levels
from .method_comparison import (
    Comparison,
    FriedmanTest,
    NemenyiTest,
    SignedRanks,
    compare_methods,
    critical_difference,
    friedman,
    nemenyi,
    wilcoxon,
)
from .minimum_volume import MassLevel, minimum_volume_set
from .nesting import NestingReport, WorstPair, nesting_report
from .nu.bounds import GeneralisationBound, LeaveOneOut, generalisation_bound, leave_one_out
from .nu.fractions import (
    MovedOutlier,
    NuCurve,
    NuProperty,
    move_outlier,
    moved_outlier_values,
    nu_curve,
    nu_property,
)
from .nu.left_out import LeftOut, best_left_out, greedy_left_out, nu_left_out
from .nu.offsets import BetweenSet, between_sets
from .nu.smoothness import SmoothnessCurve, smoothness_curve
from .outliers import OutlierRanking, outlier_ranking
from .quantiles import QuantileSets, quantile_sets
from .ranking import RankingScores, ambiguously_ranked, ranking_disagreement, ranking_scores
from .rate_scores import (
    Rate,
    Score,
    error_rate,
    minimax_score,
    minimum_volume_score,
    neyman_pearson_score,
    score_table,
)
from .resampling.bands import BoundaryBands, boundary_bands
from .resampling.draws import Resampling
from .resampling.ranks import RankIntervals, rank_intervals
from .resampling.trees import ResampledTrees, resample_trees
from .roc import RocCurve, auc, auc_minus_disagreement, roc_curve
from .set_volumes import SetVolumes
from .smallest_change import SmallestChange, smallest_change
from .tree.agreement import Agreement, cluster_agreement
from .tree.cluster_tree import cluster_tree
from .tree.hdbscan import hdbscan_tree
from .tree.layout import TreeLayout, cluster_counts, tree_layout
from .tree.pixel_tree import label_pixels, pixel_tree
from .tree.tree import Tree

integrated_volume = _volume.integrated_volume
mass_volume_curve = _volume.mass_volume_curve
pixel_reference = _volume.pixel_reference
select_bandwidth = _volume.select_bandwidth
uniform_reference = _volume.uniform_reference

__all__ = [
    "Agreement",
    "BetweenSet",
    "BoundaryBands",
    "Comparison",
    "Contributions",
    "CostSelection",
    "CoverageRatio",
    "DensityEstimate",
    "DensityRank",
    "FeatureProfile",
    "Flags",
    "FriedmanTest",
    "GeneralisationBound",
    "LeaveOneOut",
    "LeftOut",
    "MassLevel",
    "MovedOutlier",
    "Neighbours",
    "NemenyiTest",
    "NestingReport",
    "NuCurve",
    "NuProperty",
    "OutlierRanking",
    "QuantileSets",
    "RankIntervals",
    "RankingScores",
    "Rate",
    "ResampledTrees",
    "Resampling",
    "RocCurve",
    "Score",
    "SetVolumes",
    "SignedRanks",
    "SmallestChange",
    "SmoothnessCurve",
    "Sweep",
    "Tree",
    "TreeLayout",
    "WorstPair",
    "ambiguously_ranked",
    "at_masses",
    "auc",
    "auc_minus_disagreement",
    "best_left_out",
    "between_sets",
    "boundary_bands",
    "cluster_agreement",
    "cluster_counts",
    "cluster_tree",
    "compare_methods",
    "coverage_ratio",
    "critical_difference",
    "density_estimate",
    "density_rank",
    "detection_auc",
    "error_rate",
    "feature_profile",
    "flag_outliers",
    "friedman",
    "generalisation_bound",
    "greedy_left_out",
    "hdbscan_tree",
    "integrated_volume",
    "label_pixels",
    "leave_one_out",
    "mass_volume_curve",
    "minimax_score",
    "minimum_volume_score",
    "minimum_volume_set",
    "move_outlier",
    "moved_outlier_values",
    "nearest_points",
    "nemenyi",
    "nesting_report",
    "neyman_pearson_score",
    "nu_curve",
    "nu_left_out",
    "nu_property",
    "outlier_ranking",
    "outline",
    "pixel_reference",
    "pixel_tree",
    "promised_band",
    "quantile_sets",
    "rank_intervals",
    "ranking_disagreement",
    "ranking_scores",
    "resample_trees",
    "roc_curve",
    "score_table",
    "select_bandwidth",
    "select_cost_sensitive",
    "smallest_change",
    "smoothness_curve",
    "sweep",
    "sweep_levels",
    "tree_layout",
    "uniform_reference",
    "wilcoxon",
]
