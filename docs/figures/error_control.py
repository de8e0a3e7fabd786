"""Pictures of the page on error control. Run from the project's folder."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from nestviz import DualNuSVM, Grid, SetFamily, make_sample
from nestviz.analysis.sweeps import sweep
from nestviz.figures.families import outlines_figure

IMAGES = Path(__file__).parents[1] / "images"
PAIRS = ((0.1, 0.6), (0.25, 0.25), (0.6, 0.1))


def in_margins(svm: DualNuSVM) -> SetFamily:
    """The sets over the shift of b in margins: 0 is the classifier, ±1 its margins."""
    family = svm.family_
    return replace(
        family,
        coefficients=family.coefficients / svm.margin_,
        offsets=np.array([-svm.offset_ / svm.margin_]),
    )


def two_parameters() -> None:
    data = make_sample("banana", seed=0, n=200)
    grid = Grid.around(data.X, resolution=200)
    panels = []
    for plus, minus in PAIRS:
        svm = DualNuSVM(plus, minus, sigma=0.6).fit(data.X, data.y)
        rates = svm.error_rates(data.X, data.y)
        errors = f"P_F = {rates.false_alarm:.2f}, P_M = {rates.miss:.2f}"
        title = f"ν₊ = {plus:g}, ν₋ = {minus:g}: {errors}"
        panels.append((title, sweep(in_margins(svm), grid, data.X, np.array([-1.0, 0.0, 1.0]))))
    figure = outlines_figure(panels, data.X, data.y, "shift")
    figure.update_annotations(font_size=12)
    figure.write_image(IMAGES / "error-control-pairs.png", width=1200, height=400)


if __name__ == "__main__":
    two_parameters()
