"""The still pictures of the story, for its handout: every step has its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from nestviz.drawing import charts
from nestviz.drawing.charts import LineChart, RankChart
from nestviz.families import SetFamily
from nestviz.ui.compute import scenes, story_charts
from nestviz.ui.data_choice import axis_names
from nestviz.ui.export import picture
from nestviz.ui.export.handout import Still
from nestviz.ui.pages.home import story
from nestviz.ui.pages.home.facts import Facts
from nestviz.ui.pages.home.steps import PLAIN, SETS, Step
from nestviz.ui.results import fits
from nestviz.ui.scene.scene import Layer, Scene

PANEL, STRIP = (430, 350), (300, 250)
"""Size of a panel in pixels, alone or in a strip of several."""
OUTLINED = 8
"""Levels outlined beside the course of a location."""
LAYERS: dict[str, tuple[Layer, ...]] = {"course": ("levels", "outline"), "rankings": SETS}
"""What is drawn otherwise than in the app, so that pictures of different steps differ."""


def stills(step: Step, facts: Facts) -> Callable[[], list[Still]]:
    """Return what draws the pictures of a step; solving is done now, drawing later."""
    if step.name == "next":
        return list
    scene, line = _scene(step, facts), _cut(step, facts)
    if step.name == "play":
        strip = _strip(scene, facts)
        return lambda: [_drawn(each, STRIP) for each in strip]
    chart = _chart(step, facts, scene)
    if chart is None:
        return lambda: [_drawn(scene, PANEL)]
    return lambda: [_drawn(scene, PANEL, line), Still(charts.chart_svg(chart), chart.title)]


def _drawn(scene: Scene, panel: tuple[float, float], cut: np.ndarray | None = None) -> Still:
    alt = f"{scene.alt}, at {scene.scale.name} = {scene.scale.label(scene.start)}"
    return Still(picture.svg(scene, panel=panel, cut=cut), alt)


def _scene(step: Step, facts: Facts) -> Scene:
    """Return the picture of a step at its level."""
    current, frames = facts.current, facts.frames
    solved = [fits.fit(current.fitted, facts.spec(method)) for method in step.methods]
    at, place = story.opening(step, facts)
    look = scenes.Look(0.0, False, LAYERS.get(step.name, step.layers), axis_names(current.fitted))
    scene = scenes.scene_of(
        current.fitted, current.plane, solved, frames, look, density=current.density
    )
    if step.chart == "ranks":
        leaves = solved[0].family.violations(current.fitted.X)
        panels = [replace(panel, hollow=leaves) for panel in scene.panels]
        scene = replace(scene, panels=panels, flag_name="enters and leaves")
    # What the caption counts is in the text; a line below each picture would be cut off.
    silent = [""] * scene.scale.levels.size
    start = scene.scale.position(at)
    return replace(scene, start=start, probe=place, ghosts=OUTLINED, captions=silent, notes=())


def _strip(scene: Scene, facts: Facts) -> list[Scene]:
    """Return the picture at three levels: at the first one, after the mark has left, at the end."""
    found = facts.crossing()
    last = float(scene.scale.last)
    middle = last / 2 if found is None else scene.scale.position(0.8 * found.left)
    return [replace(scene, start=start) for start in (scene.start, middle, last)]


def _cut(step: Step, facts: Facts) -> np.ndarray | None:
    """Return the ends of the line through the mark and the centre, where a step shows it."""
    found = facts.crossing()
    if step.chart != "profile" or found is None:
        return None
    places, _ = story_charts.cut_through(facts.centre, found.place, facts.view)
    return places[[0, -1]]


def _chart(step: Step, facts: Facts, still: Scene) -> LineChart | RankChart | None:
    """Return the chart beside the picture of a step, if it has one."""
    levels = facts.levels
    level, name, ends = still.level, "level λ", (float(levels[0]), float(levels[-1]))
    if step.chart == "excess":
        cost = 100 * facts.cost().excess
        here = level, float(np.interp(-level, -levels, cost))
        title = "Objective above its minimum, in %"
        return LineChart(title, name, levels, cost, mark=here, ends=ends)
    if facts.crossing() is None or not step.chart:
        return None
    family = fits.fit(facts.current.fitted, facts.spec(PLAIN)).family
    if step.chart == "ranks":
        X = facts.current.fitted.X
        first, last = story_charts.two_ranks(family, X)
        names = "by first entry", "by last entry"
        return RankChart("Ranks, the most typical on top", names, first, last, family.violations(X))
    return _sums(step, facts, family, still)


def _sums(step: Step, facts: Facts, family: SetFamily, still: Scene) -> LineChart:
    """Return the sum of kernels at the mark over the level, or along a line through the mark."""
    plane, levels, found, level = facts.current.plane, facts.levels, facts.crossing(), still.level
    assert found is not None
    at_mark = float(story_charts.course(family, plane, found.place, np.array([level]))[0])
    if step.chart == "course":
        curve = story_charts.course(family, plane, found.place, levels)
        ends = float(levels[0]), float(levels[-1])
        title, mark = "Σ αᵢ k(xᵢ, x) / λ at the mark", (level, at_mark)
        return LineChart(title, "level λ", levels, curve, mark=mark, boundary=1.0, ends=ends)
    places, along = story_charts.cut_through(facts.centre, found.place, still.view)
    now, entered = (story_charts.ratios(family, plane, places, at) for at in (level, found.entered))
    title, name = "Σ αᵢ k(xᵢ, x) / λ along the dashed line", "distance from the mark"
    return LineChart(title, name, along, now, [entered], (0.0, at_mark), 1.0)
