"""Pictures of the page on error control. Run from the project's folder."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from nestviz import (
    DualNuSVM,
    Grid,
    MinimaxClassifier,
    NeymanPearsonClassifier,
    SetFamily,
    make_sample,
)
from nestviz.analysis import compare_methods
from nestviz.analysis.level_sweep import sweep
from nestviz.figures.error_control import rate_maps_figure, reference_points_figure
from nestviz.figures.families import outlines_figure
from nestviz.figures.method_comparison import critical_difference_figure
from nestviz.volume import draw_reference

IMAGES = Path(__file__).parents[1] / "images"
#: Samples over which rules of choice are compared.
SETS = 15
PAIRS = ((0.1, 0.6), (0.25, 0.25), (0.6, 0.1))


def in_margins(svm: DualNuSVM) -> SetFamily:
    """The sets over the shift of b in margins: 0 is the classifier, ±1 its margins."""
    family = svm.family_
    return replace(
        family,
        coefficients=family.coefficients / svm.margin_,
        offsets=np.array([-svm.intercept_ / svm.margin_]),
    )


def two_parameters() -> None:
    data = make_sample("banana", random_state=0, n=200)
    grid = Grid.around(data.X, resolution=200)
    panels = []
    for plus, minus in PAIRS:
        svm = DualNuSVM(nu_plus=plus, nu_minus=minus, sigma=0.6).fit(data.X, data.y)
        rates = svm.error_rates(data.X, data.y)
        errors = f"P_F = {rates.false_alarm:.2f}, P_M = {rates.miss:.2f}"
        title = f"ν₊ = {plus:g}, ν₋ = {minus:g}: {errors}"
        panels.append((title, sweep(in_margins(svm), grid, data.X, np.array([-1.0, 0.0, 1.0]))))
    figure = outlines_figure(panels, data.X, data.y, "shift")
    figure.update_annotations(font_size=12)
    figure.write_image(IMAGES / "error-control-pairs.png", width=1200, height=400)


def maps_of_a_search() -> None:
    data = make_sample("banana", random_state=0, n=200)
    for smoothing, strategy, name in (
        ("none", "coordinate-2d", "descent"),
        ("3d", "grid", "smoothed"),
    ):
        model = NeymanPearsonClassifier(
            0.1, strategy=strategy, smoothing=smoothing, sigmas=[0.3, 0.6, 1.2]
        ).fit(data.X, data.y)
        paths = [len(path) for path in model.search_.paths]
        figure = rate_maps_figure(
            model.search_, int(np.argmax(paths)) if paths else None, alpha=0.1
        )
        figure.write_image(IMAGES / f"error-control-{name}.png", width=1200, height=400)


def reference_points() -> None:
    X = make_sample("banana", random_state=0, n=200).X
    drawn = {kind: draw_reference(X, 200, kind) for kind in ("uniform", "thinned", "manifold")}
    figure = reference_points_figure(drawn, X)
    figure.write_image(IMAGES / "error-control-references.png", width=1200, height=420)


def critical_differences() -> None:
    """Max(P_F, P_M) on new points of the rules by which a setting is chosen."""
    rules = {
        "grid": {"smoothing": "none"},
        "grid, smoothed": {"smoothing": "3d"},
        "3-D descent, smoothed": {"strategy": "coordinate-3d"},
        "balanced ν-SVM, smoothed": {"strategy": "balanced-nu-svm"},
        "ν-SVM, fewest mistakes": {
            "strategy": "nu-svm",
            "smoothing": "none",
            "select_by": "misclassification",
        },
    }
    scores = np.array([[worst_rate(seed, rule) for rule in rules.values()] for seed in range(SETS)])
    figure = critical_difference_figure(compare_methods(scores), list(rules))
    figure.write_image(IMAGES / "error-control-ranks.png", width=900)


def worst_rate(seed: int, rule: dict[str, str]) -> float:
    """On unbalanced samples: a tenth of the negative points are kept."""
    data, new = (
        make_sample("banana", random_state=seed + k, n=n) for k, n in ((0, 300), (100, 4000))
    )
    kept = np.concatenate((np.flatnonzero(data.y == 1), np.flatnonzero(data.y == -1)[:15]))
    model = MinimaxClassifier(sigmas=6, nu_grid=8, **rule).fit(data.X[kept], data.y[kept])
    return float(max(model.error_rates(new.X, new.y)))


if __name__ == "__main__":
    two_parameters()
    maps_of_a_search()
    reference_points()
    critical_differences()
