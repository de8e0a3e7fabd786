"""The sets of a scene as outlines: those of its families, with the sentences of the player."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.path import Path
from scene_samples import FAR, IN_HOLE, ON_BLOB, ON_RING, STOPS, make_panel, make_points, make_scene

from nestviz.data import Dataset
from nestviz.estimators import NestedOneClassSVM, OneClassPath
from nestviz.grids import Plane
from nestviz.palette import LIGHT
from nestviz.ui.compute import scenes, tasks
from nestviz.ui.compute.methods import Spec
from nestviz.ui.export import picture
from nestviz.ui.scene.drawn import draw_scene, draw_still, points_inside_at
from nestviz.ui.scene.scene import Scale


def surrounded(rings, locations):
    """Whether an odd number of rings surrounds each location."""
    counts = sum(Path(ring).contains_points(locations).astype(int) for ring in rings)
    return np.asarray(counts) % 2 == 1


def pixels(view, side=60):
    """Locations inside a view, away from the pixels on which outlines are computed."""
    xmin, xmax, ymin, ymax = view
    u, v = np.meshgrid(
        np.linspace(xmin, xmax, side + 2)[1:-1], np.linspace(ymin, ymax, side + 2)[1:-1]
    )
    return np.column_stack([u.ravel(), v.ravel()])


@pytest.mark.parametrize("kind", [OneClassPath, NestedOneClassSVM])
def test_outlines_are_those_of_the_family_at_every_stop(kind):
    X = make_points(60)
    family = kind(0.35).fit(X).family_
    panel = make_panel(n=60, family=family, intervals=family.intervals(X))
    levels = np.linspace(0.9, 0.05, STOPS) * family.levels[-1]
    scene = make_scene(panels=[panel], scale=Scale("level λ", levels, levels))
    drawn, locations = draw_scene(scene).panels[0], pixels(scene.view)
    assert len(drawn.sets) == len(drawn.broken) == STOPS
    seen = np.zeros(len(locations), dtype=bool)
    for stop, level in enumerate(scene.scale.levels):
        inside = family.contains(locations, level)
        # Outlines are linear between pixels: only locations next to one may be on its other side.
        assert (surrounded(drawn.sets[stop], locations) != inside).mean() < 0.005
        broken = surrounded(drawn.broken[stop], locations) if drawn.broken[stop] else ~(seen | True)
        assert (broken != (seen & ~inside)).mean() < 0.01
        assert drawn.broken_share[stop] == pytest.approx((seen & ~inside).mean(), abs=0.01)
        seen |= inside
    assert any(drawn.broken) != family.is_nested


def test_holes_and_what_is_left_behind():
    drawn = draw_scene(make_scene(panels=1)).panels[0]
    for stop in range(STOPS):
        wanted = [True, False, False, stop < 3]
        assert surrounded(drawn.sets[stop], [ON_RING, IN_HOLE, FAR, ON_BLOB]).tolist() == wanted
        assert bool(drawn.broken[stop]) == (stop >= 3)
    assert surrounded(drawn.broken[3], [ON_BLOB]).all()


@pytest.mark.parametrize("start", [0.0, 2.0, 2.6, 5.0])
def test_a_still_is_the_level_at_rest_after_all_smaller_sets(start):
    scene = make_scene(panels=1, start=start)
    drawn, frame = draw_still(scene)
    assert drawn.positions[frame] == start
    locations = pixels(scene.view)
    inside = scene.panels[0].family.contains(locations, scene.level)
    rings = drawn.panels[0].sets[frame]
    assert (surrounded(rings, locations) != inside).mean() < 0.005
    # The blob goes at level 0.5, between the stops 2 and 3.
    assert bool(drawn.panels[0].broken[frame]) == (scene.level < 0.5)


def test_captions_are_those_of_the_player():
    scene = make_scene(notes=[f"ν = {k}; " for k in range(STOPS)])
    drawn = draw_scene(scene)
    for stop, level in enumerate(scene.scale.levels):
        panel = scene.panels[0]
        share = panel.family.contains(panel.points, level).mean()
        words = f"{share:.0%} of the points inside"
        broken = drawn.panels[0].broken_share[stop]
        if stop >= 3:
            words += f", {broken:.1%} of the picture violated"
        assert drawn.caption(stop) == f"ν = {stop}; Panel 0: {words}; Panel 1: {words}"
    assert drawn.label(0) == "level λ = 1"
    assert drawn.label(1) == "level λ = 0.82"


def test_captions_by_class_and_given_ones():
    scene = make_scene(panels=1, by_class=True, class_names=["held-out", "training"])
    panel = replace(scene.panels[0], title="")
    scene = replace(scene, panels=[panel])
    inside = panel.family.contains(panel.points, scene.scale.levels[1])
    parts = [
        f"{inside[panel.classes == k].mean():.0%} of {name} points inside"
        for k, name in enumerate(scene.class_names)
    ]
    assert draw_scene(scene).caption(1) == ", ".join(parts)
    told = replace(scene, captions=[f"stop {k}" for k in range(STOPS)])
    assert draw_scene(told).caption(3) == "stop 3"
    silent = replace(scene, panels=[replace(panel, intervals=None)])
    assert draw_scene(silent).caption(0) == ""


def test_shares_are_rounded_as_in_the_browser():
    """Halves go up there, of shares and of positions."""
    inside = np.zeros((STOPS, 8), dtype=bool)
    inside[:, 0] = True
    panel = make_panel(n=8, intervals=None, inside=inside, title="")
    drawn = draw_scene(make_scene(panels=[panel]), np.array([0.5, 2.5]))
    assert drawn.caption(0) == "13% of the points inside"
    told = replace(drawn.scene, captions=[f"stop {k}" for k in range(STOPS)])
    assert draw_scene(told, np.array([0.5, 2.5])).caption(0) == "stop 1"


def test_points_are_counted_exactly_or_at_the_nearest_stop():
    scene = make_scene(panels=1)
    panel = scene.panels[0]
    for position in (0.0, 1.4, 3.7):
        inside = panel.family.contains(panel.points, scene.scale.level(position))
        found = points_inside_at(panel, scene.scale, position)
        assert np.array_equal(found, inside)
    at_stops = np.arange(STOPS)[:, None] >= np.arange(40) % STOPS
    rough = replace(panel, intervals=None, inside=at_stops)
    assert np.array_equal(points_inside_at(rough, scene.scale, 2.6), at_stops[3])
    assert points_inside_at(replace(panel, intervals=None), scene.scale, 2.0) is None


def test_sizes_are_coefficients_as_shares_of_their_bound():
    X = make_points(30)
    path = OneClassPath(0.4).fit(X)
    panel = make_panel(n=30, family=path.family_, intervals=None, size_scale=30.0)
    scene = make_scene(panels=[panel])
    sizes = draw_scene(scene).panels[0].sizes
    np.testing.assert_allclose(
        sizes, np.minimum(30 * path.coefficients(scene.scale.levels), 1), atol=1e-12
    )
    assert draw_scene(make_scene()).panels[0].sizes is None


def test_repeated_points_divide_a_coefficient():
    data = Dataset(np.vstack([make_points(20), make_points(20)[:5]]))
    spec = Spec("one-class SVM", 0.4)
    fitted = tasks.fit(spec, data.X)
    assert len(fitted.family.centres) == 20
    frames = scenes.frames_of(data, [spec], lambda _: fitted)
    scene = scenes.scene_of(data, Plane.of_two_features(), [fitted], frames, scenes.Look())
    found = draw_scene(scene, np.array([0.0, 30.0, 59.0])).panels[0].sizes
    levels = scene.scale.levels[[0, 30, 59]]
    wanted = np.minimum(25 * fitted.estimator.coefficients(levels), 1)
    np.testing.assert_allclose(found, wanted, atol=1e-12)


@pytest.mark.parametrize("view", [(-2, 2, -2, 2), (-2, 2, -1, 0.5), (0, 1, -4, 4)])
@pytest.mark.parametrize("panels", [1, 2, 4])
def test_a_unit_is_as_long_across_as_along(view, panels):
    drawn = picture.ScenePicture(
        draw_scene(make_scene(panels=panels, view=view), np.array([0.0])), LIGHT, (400, 300)
    )
    for panel in drawn.panels:
        (x0, y0), (x1, y1) = panel.axes.transData.transform([(0, 0), (1, 1)])
        assert x1 - x0 == pytest.approx(y1 - y0)
        box = panel.axes.get_window_extent()
        assert box.width <= 400
        assert box.height <= 300
