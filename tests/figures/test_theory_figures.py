"""Figures of the Theory page."""

import numpy as np
import pytest

from nestviz import ParzenLevelSets
from nestviz.analysis.decomposition import Step
from nestviz.analysis.nu.arcs import solve_arc
from nestviz.analysis.profiles import profile
from nestviz.analysis.ranking import RankingScores
from nestviz.analysis.reduced_hulls import hull_pair
from nestviz.analysis.set_differences import SetDifference
from nestviz.figures.costs import pairs_figure
from nestviz.figures.differences import difference_curve_figure, difference_figure
from nestviz.figures.feature_space import arc_profile_figure, feature_space_figure
from nestviz.figures.nu import POINT_KINDS
from nestviz.figures.profile import EVERY, MOVING, course_figure, profile_figure
from nestviz.figures.reduced_hulls import MOST, hulls_figure, region_figure
from nestviz.figures.solution_path import SETS
from nestviz.figures.theme import log_axis, page_colours
from nestviz.figures.theory import (
    certificate_figure,
    chain_figure,
    falling,
    ranks,
    slopes_figure,
    step_figure,
    wedge_figure,
)

LEVELS = np.array([1.0, 0.5, 0.25])
# Ratios to the level: 1, 2, 4 rise; 1, 2, 1 fall once; 0, 0, 0 rest.
ALPHA = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.25, 0.0]])


def traces(figure):
    return {trace.name: trace for trace in figure.data}


def test_falling_pieces_are_found_exactly():
    expected = [[False, False, False], [False, True, False]]
    np.testing.assert_array_equal(falling(LEVELS, ALPHA), expected)
    assert not falling(LEVELS, np.zeros((3, 2))).any()


def test_the_chain_figure_marks_what_falls():
    figure = chain_figure([("one by one", LEVELS, ALPHA), ("together", LEVELS, ALPHA[:, :1])])
    rises, falls, also_rises, nothing = figure.data
    assert falls.name == "falls: breaks the chain"
    np.testing.assert_allclose(falls.x[:2], [0.5, 0.25])
    np.testing.assert_allclose(falls.y[:2], [2.0, 1.0])
    assert np.isfinite(rises.x).sum() == 2 * 5
    assert np.isfinite(also_rises.x).sum() == 2 * 2
    assert len(nothing.x) == 0
    assert falls.line.width > rises.line.width
    assert figure.layout.xaxis.autorange == "reversed"


def test_the_certificate_figure_has_both_lines_and_the_mark():
    steps = np.array([1, 2, 3])
    figure = certificate_figure(steps, 3.0 / steps, 1.0 / steps, 2)
    assert [trace.line.dash for trace in figure.data] == ["solid", "dash"]
    assert figure.layout.yaxis.type == "log"
    assert figure.layout.shapes[0].x0 == 2


def test_the_wedge_sorts_points_by_the_constraint():
    plain = np.array([[0.1, 0.1, 0.0], [0.1, 0.02, 0.0]])
    nested = np.array([[0.1, 0.04, 0.0], [0.1, 0.02, 0.0]])
    figure = wedge_figure((1.0, 0.5), 0.1, plain, nested)
    found = traces(figure)
    edge = found["allowed: α₁/λ₁ ≤ α₂/λ₂"]
    # Its lower edge ends at (1/N, λ₂/(λ₁N)).
    np.testing.assert_allclose([edge.x[1], edge.y[1]], [0.1, 0.05])
    assert list(found["one by one, outside the wedge"].x) == [0.1]
    assert list(found["one by one, outside the wedge"].y) == [0.02]
    assert len(found["one by one, allowed"].x) == 2
    assert len(found["solved together"].x) == 3
    assert figure.layout.yaxis.scaleanchor == "x"


def test_slopes_show_the_rank_by_either_score():
    scores = RankingScores(np.array([5.0, 4.0, 3.0, 1.0]), np.array([2.0, 4.0, 3.0, 1.0]))
    found = traces(slopes_figure(scores, 3))
    np.testing.assert_array_equal(found["leaves the sets and returns"].y[:2], [1, 3])
    crossed = found["is crossed by another"].y
    np.testing.assert_array_equal(crossed[[0, 1, 3, 4]], [2, 1, 3, 2])
    np.testing.assert_array_equal(found["crosses no other line"].y[:2], [4, 4])
    np.testing.assert_array_equal(found["point 3"].y, [4, 4])


def test_ranks_share_ties():
    np.testing.assert_array_equal(ranks(np.array([3.0, 7.0, 3.0, -np.inf])), [2.5, 1, 2.5, 4])


def test_a_step_shows_before_targets_and_answer():
    step = Step(4, np.array([1.0, 1.0]), np.array([3.0, -1.0]), np.array([0.5, 0.5]), 0.0, 0.0)
    figure = step_figure(np.array([2.0, 1.0]), np.array([1.0, 2.0]), step)
    found = traces(figure)
    assert list(found["targets, without constraints"].y) == [3.0, -1.0]
    assert list(found["after: the nearest that never falls"].y) == [0.5, 0.5]
    assert list(figure.layout.xaxis.ticktext) == ["λ<sub>1</sub>", "λ<sub>2</sub>"]


def test_the_difference_is_filled_between_two_outlines():
    ring = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    sets = SetDifference((ring,), (ring + 1,), (ring, ring + 1), 0.2, 0.5)
    found = traces(difference_figure(sets, ring, (0, 2, 0, 2), ("true", "estimate")))
    assert found["in exactly one of the two"].fill == "toself"
    assert found["true"].line.dash == "dash"
    assert np.isfinite(found["in exactly one of the two"].x).sum() == 8
    x = np.array([0.1, 0.5, 0.9])
    curves = {"M = 3": x**2, "M = 5": x**3}
    figure = difference_curve_figure(x, curves, 0.5, "level", chosen="M = 5")
    assert traces(figure)["shown"].y[0] == pytest.approx(0.125)
    falling_levels = {name: values[::-1] for name, values in curves.items()}
    figure = difference_curve_figure(x[::-1], falling_levels, 0.9, "level")
    assert traces(figure)["shown"].y[0] == pytest.approx(0.81)
    assert len({(t.line.dash, t.marker.symbol) for t in figure.data[:2]}) == 2


@pytest.fixture
def line_profile():
    X = np.array([[0.0], [1.0], [1.3]])
    family = ParzenLevelSets(0.5).fit(X).family_
    levels = np.linspace(0.6, 0.1, 7)
    return X, profile(family, [-1.0], [2.0], levels, count=31), family.coefficients_at(levels)[0]


def test_the_profile_moves_through_its_levels(line_profile):
    X, found, alpha = line_profile
    figure = profile_figure(found, X[:, 0], alpha, 2, 10, [0, 10, 20])
    assert len(figure.frames) == -(-7 // EVERY)
    assert all(len(frame.data) == MOVING for frame in figure.frames)
    np.testing.assert_allclose(figure.data[0].y, found.sums[2], rtol=1e-6)
    np.testing.assert_allclose(figure.data[1].y, found.thresholds[2], rtol=1e-6)
    np.testing.assert_allclose(figure.frames[-1].data[1].y, found.thresholds[6], rtol=1e-6)
    last = figure.data[-1]
    assert list(last.customdata) == [0, 10, 20]
    np.testing.assert_allclose(last.x, found.points[[0, 10, 20], 0])
    labels = [button.label for button in figure.layout.updatemenus[0].buttons]
    assert labels == ["▶ Play", "■ Stop"]
    # Frames survive the change of colours.
    assert len(page_colours(figure).frames) == len(figure.frames)


def test_coefficients_that_fell_faster_than_the_level_are_marked(line_profile):
    X, found, alpha = line_profile
    alpha = alpha.copy()
    alpha[3:, 1] = 0.01
    figure = profile_figure(found, X[:, 0], alpha, 3, 0, [0])
    fallen = traces(figure)["αᵢ/λ has fallen"].y
    assert np.isfinite(fallen[1::3]).tolist() == [False, True, False]
    assert fallen[4] == pytest.approx(0.01 / found.thresholds[3])


def test_the_course_of_a_location_has_its_sign_changes():
    shares = np.linspace(1, 0.1, 10)
    values = {"plain": shares - 0.5, "nested": 0.5 - shares}
    figure = course_figure(shares, values, 0.4, np.array([0.5]))
    assert list(traces(figure)["enters or leaves"].x) == [0.5]
    assert figure.layout.xaxis.autorange == "reversed"
    assert figure.data[0].line.dash != figure.data[1].line.dash


def test_the_hyperplane_and_the_ball_are_where_the_solution_says():
    found = solve_arc(np.radians([10.0, 35, 40, 45, 50, 80]), 0.4)
    parts = traces(feature_space_figure(found, ball=True))
    plane = parts["hyperplane ⟨w, z⟩ = ρ"]
    ends = np.column_stack([plane.x, plane.y])
    np.testing.assert_allclose(ends @ found.w, found.rho)
    distance = parts["distance ρ/‖w‖"]
    assert np.hypot(distance.x[1], distance.y[1]) == pytest.approx(found.distance)
    ball = np.column_stack([parts["ball of radius R"].x, parts["ball of radius R"].y])
    np.testing.assert_allclose(np.hypot(*(ball - found.w).T), found.radius)
    assert "ball of radius R" not in traces(feature_space_figure(found))
    slack = parts["slack, ξ/‖w‖"]
    assert np.isfinite(slack.x).sum() == 2 * (found.codes == 0).sum()
    over = traces(arc_profile_figure(found))
    inside = np.isfinite(over["the set"].y)
    np.testing.assert_array_equal(inside, over["Σ αᵢ k(xᵢ, x) = ⟨w, Φ(x)⟩"].y >= found.rho)


def test_hulls_are_drawn_with_a_line_only_if_they_do_not_meet():
    plus, minus = np.array([[2.0, 0.0], [3.0, 1.0]]), np.array([[0.0, 0.0], [-1.0, 1.0]])
    figure = hulls_figure(hull_pair(plus, minus, 0.5, 0.5), plus, minus)
    boundary = traces(figure)["decision boundary"]
    np.testing.assert_allclose(boundary.x, 1.0, atol=1e-4)
    together = hulls_figure(hull_pair(plus, plus, 0.5, 0.5), plus, plus)
    assert "decision boundary" not in traces(together)


def test_the_region_shows_all_three_cases():
    nus = np.array([0.1, 0.5, 1.0])
    distances = np.array([[0.0, 0.0, 0.1], [0.0, 0.2, 0.3], [0.1, 0.3, 0.4]])
    figure = region_figure(nus, distances, (0.5, 0.1))
    np.testing.assert_array_equal(figure.data[0].z, distances.T <= 0)
    beyond = traces(figure)["infeasible: ν₊ or ν₋ above 1"]
    assert (max(beyond.x), max(beyond.y)) == (MOST, MOST)
    assert list(traces(figure)["shown"].x) == [0.5]


def test_pairs_are_joined_row_by_row():
    figure = pairs_figure(
        ("a", "<b>"), np.array([0.6, 0.9]), np.array([0.5, 0.95]), ("plain", "nested"), "AUC"
    )
    joined = figure.data[0]
    np.testing.assert_allclose(joined.x[[0, 1, 3, 4]], [0.6, 0.5, 0.9, 0.95])
    assert list(traces(figure)["nested"].x) == [0.5, 0.95]
    assert "<b>" not in figure.layout.yaxis.ticktext[1]


def test_an_axis_by_ratios_has_a_whole_number_at_each_tick():
    """Plotly's own ticks of 0.2, 0.5, 1, 2 and 5 are 2, 5, 1, 2 and 5."""
    axis = log_axis([0.17, 4.6])
    assert axis["ticktext"] == ["0.2", "0.5", "1", "2", "5"]
    assert axis["tickvals"] == [0.2, 0.5, 1.0, 2.0, 5.0]
    assert log_axis([1e-3, 40.0])["ticktext"] == ["0.001", "0.01", "0.1", "1", "10"]


def test_ranks_begin_with_one():
    scores = RankingScores(np.arange(30.0), np.arange(30.0))
    axis = slopes_figure(scores, 0).layout.yaxis
    assert list(axis.tickvals) == [1, 10, 20, 30]
    assert list(axis.range) == [30.5, 0.5]


def test_points_look_the_same_by_their_coefficients_in_all_chapters():
    for code, (_, colour, symbol) in POINT_KINDS.items():
        assert SETS[code][1:] == (colour, symbol)
