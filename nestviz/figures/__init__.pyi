from .bandwidth import (
    area_by_width_figure,
    excess_mass_figure,
    integrated_volume_figure,
    margin_effect_figure,
    mass_volume_figure,
    mass_volume_grid_figure,
    resampled_widths_figure,
    support_vectors_figure,
)
from .cluster_tree import clusters_figure, counts_figure, tree_figure
from .code_books import code_book_figure, code_book_sizes_figure
from .cost_selection import cost_selection_figure
from .costs import pairs_figure
from .density import density_maps_figure, density_rank_figure, mass_level_figure
from .differences import difference_curve_figure, difference_figure
from .error_control import rate_maps_figure, reference_points_figure
from .export import on_paper
from .families import coefficients_figure, outlines_figure
from .feature_bars import feature_bars_figure
from .feature_space import arc_profile_figure, feature_space_figure
from .label_sets import label_sets_figure
from .left_out import left_out_figure
from .level_gaps import level_gap_figure
from .method_comparison import critical_difference_figure
from .minimax_machines import covariance_ellipse, machine_figure
from .minimum_volume import minimum_volume_figure
from .nesting import intervals_figure, violation_figure, violation_map_figure
from .nu import between_figure, nu_property_figure, nu_set_figure, resistance_figure
from .outliers import outliers_figure
from .p_values import ordered_p_values_figure, two_p_values_figure
from .point_card import PointPath, point_figure
from .point_looks import PointLooks
from .points import points_figure
from .profile import course_figure, profile_figure
from .promised_coverage import promised_coverage_figure
from .quantiles import coverage_figure, coverage_ratio_figure, quantile_sets_figure
from .rank_intervals import rank_intervals_figure
from .ranking import ranking_figure
from .rate_points import operating_figure, rate_panels
from .reduced_hulls import hulls_figure, region_figure
from .roc import mark_operating_points, roc_figure
from .smoothness import smooth_profile_figure, smoothness_figure
from .solution_path import path_figure, sets_figure
from .study_values import study_values_figure
from .theory import certificate_figure, chain_figure, slopes_figure, step_figure, wedge_figure

__all__ = [
    "PointLooks",
    "PointPath",
    "arc_profile_figure",
    "area_by_width_figure",
    "between_figure",
    "certificate_figure",
    "chain_figure",
    "clusters_figure",
    "code_book_figure",
    "code_book_sizes_figure",
    "coefficients_figure",
    "cost_selection_figure",
    "counts_figure",
    "course_figure",
    "covariance_ellipse",
    "coverage_figure",
    "coverage_ratio_figure",
    "critical_difference_figure",
    "density_maps_figure",
    "density_rank_figure",
    "difference_curve_figure",
    "difference_figure",
    "excess_mass_figure",
    "feature_bars_figure",
    "feature_space_figure",
    "hulls_figure",
    "integrated_volume_figure",
    "intervals_figure",
    "label_sets_figure",
    "left_out_figure",
    "level_gap_figure",
    "machine_figure",
    "margin_effect_figure",
    "mark_operating_points",
    "mass_level_figure",
    "mass_volume_figure",
    "mass_volume_grid_figure",
    "minimum_volume_figure",
    "nu_property_figure",
    "nu_set_figure",
    "on_paper",
    "operating_figure",
    "ordered_p_values_figure",
    "outliers_figure",
    "outlines_figure",
    "pairs_figure",
    "path_figure",
    "point_figure",
    "points_figure",
    "profile_figure",
    "promised_coverage_figure",
    "quantile_sets_figure",
    "rank_intervals_figure",
    "ranking_figure",
    "rate_maps_figure",
    "rate_panels",
    "reference_points_figure",
    "region_figure",
    "resampled_widths_figure",
    "resistance_figure",
    "roc_figure",
    "sets_figure",
    "slopes_figure",
    "smooth_profile_figure",
    "smoothness_figure",
    "step_figure",
    "study_values_figure",
    "support_vectors_figure",
    "tree_figure",
    "two_p_values_figure",
    "violation_figure",
    "violation_map_figure",
    "wedge_figure",
]
