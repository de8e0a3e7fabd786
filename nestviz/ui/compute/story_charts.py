"""The charts beside the pictures of a story, for its handout; the twin of ``side_chart.js``."""

from __future__ import annotations

import numpy as np

from nestviz.analysis.ranking import ranking_scores
from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Plane

Location = tuple[float, float]
SAMPLES = 160


def cut_through(
    centre: Location, place: Location, view: tuple[float, float, float, float]
) -> tuple[FloatArray, FloatArray]:
    """Return locations on the line through two others, and how far each is from the second.

    The line reaches to the frame of the view; through one location alone it is level.
    """
    start = np.array(place)
    step = start - np.array(centre)
    size = float(np.hypot(*step))
    step = step / size if size > 1e-9 * (view[1] - view[0]) else np.array([1.0, 0.0])
    step = -step if step[0] < 0 else step
    low, high = np.array(view[::2]), np.array(view[1::2])
    moving = np.abs(step) > 1e-12
    ends = np.stack([(low - start)[moving] / step[moving], (high - start)[moving] / step[moving]])
    along = np.linspace(ends.min(axis=0).max(), ends.max(axis=0).min(), SAMPLES)
    return start + along[:, None] * step, along


def ratios(family: SetFamily, plane: Plane, places: FloatArray, level: float) -> FloatArray:
    """Return the sum of kernels at some locations as a share of the level, for one class."""
    return 1.0 + family.values(plane.lift(places), [level])[0] / level


def course(family: SetFamily, plane: Plane, place: Location, levels: FloatArray) -> FloatArray:
    """Return that share at one location, over the levels."""
    return 1.0 + family.values(plane.lift(np.array([place])), levels)[:, 0] / levels


def two_ranks(family: SetFamily, X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the ranks of points by their first and their last set; 1 enters the smallest sets."""
    from scipy.stats import rankdata

    scores = ranking_scores(family, X)
    first, last = (np.asarray(rankdata(-score)) for score in (scores.s_plus, scores.s_minus))
    return first, last
