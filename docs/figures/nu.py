"""Pictures and numbers for the page on ν. Run: python docs/figures/nu.py"""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go

from nestviz import (
    CentredOneClassSVM,
    GaussianKernel,
    Grid,
    NuOneClassSVM,
    OneClassPath,
    ReflectedOneClassSVM,
    SoftBall,
    make_sample,
)
from nestviz.analysis.level_sweep import sweep
from nestviz.analysis.nu.bounds import generalisation_bound, leave_one_out
from nestviz.analysis.nu.fractions import move_outlier, nu_curve, nu_property
from nestviz.analysis.nu.offsets import between_sets
from nestviz.figures.families import outlines_figure
from nestviz.figures.nu import between_figure, nu_property_figure

IMAGES = Path(__file__).resolve().parents[1] / "images"
SIGMA = 0.5
N = 200


def save(figure: go.Figure, name: str, height: int = 420) -> None:
    figure.update_layout(paper_bgcolor="white", plot_bgcolor="white")
    figure.write_image(IMAGES / f"nu-{name}.png", width=900, height=height, scale=1)


def fractions() -> None:
    X = make_sample("multi", random_state=0, n=N).X
    save(nu_property_figure(nu_curve(OneClassPath(SIGMA).fit(X))), "property")
    for nu in (0.05, 0.3, 0.7):
        print(nu_property(NuOneClassSVM(SIGMA, nu).fit(X), X))
    many = make_sample("multi", random_state=0, n=2000).X
    print("2000 points:", nu_property(NuOneClassSVM(SIGMA, 0.3).fit(many), many))


def in_between() -> None:
    X = make_sample("banana", random_state=0, n=N).X
    row = between_sets(X, 1.0, [0.1, 0.2, 0.4, 1.0], 0.1, Grid.around(X))
    save(between_figure(row, X), "between", height=380)
    for entry in row:
        print(entry.nu, len(entry.support) / N, entry.outside)


def bounds() -> None:
    X = make_sample("multi", random_state=0, n=N).X
    model = NuOneClassSVM(SIGMA, 0.3).fit(X)
    K = GaussianKernel(SIGMA).gram(X, X)
    row = int(np.argmin(model.score_samples(X)))
    limit = move_outlier(K, 0.3, row, 0.0).limit
    for share in (0.99, 1.5):
        print(move_outlier(K, 0.3, row, share * limit))
    for nu in (0.05, 0.1, 0.3):
        found = leave_one_out(K, nu)
        print(f"ν = {nu}: left out {found.error:.3f}, bound {found.bound:.3f}")
    print(generalisation_bound(model, X, 0.5 * model.rho_))


def variants() -> None:
    X = make_sample("multi", random_state=0, n=N).X
    Z = np.random.default_rng(0).normal(X.mean(axis=0), 0.25, size=(25, 2))
    grid = Grid.around(X)
    fits = {
        "plain": NuOneClassSVM(1.0, 0.1).fit(X),
        "known outliers": ReflectedOneClassSVM(1.0, 0.1).fit(X, outliers=Z),
        "against a mean": CentredOneClassSVM(1.0, 0.1).fit(X, others=Z),
    }
    panels = [(name, sweep(fit.family_, grid, X, [fit.level_])) for name, fit in fits.items()]
    figure = outlines_figure(panels, X, None, "ρ")
    figure.for_each_trace(lambda trace: trace.update(showlegend=False))
    for column in range(1, 4):
        crosses = go.Scatter(
            x=Z[:, 0], y=Z[:, 1], mode="markers", showlegend=False,
            marker={"symbol": "x", "color": "#D55E00", "size": 6},
        )  # fmt: skip
        figure.add_trace(crosses, row=1, col=column)
    save(figure, "variants", height=360)
    for name, fit in fits.items():
        print(name, "other points inside:", float((fit.predict(Z) > 0).mean()), fit.rho_)


def balls() -> None:
    X = make_sample("banana", random_state=0, n=N).X
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    grid = Grid.around(X)
    panels = []
    for degree in (1, 3):
        for make, name in ((NuOneClassSVM, "half-space"), (SoftBall, "ball")):
            fit = make(nu=0.1, kernel="polynomial", degree=degree).fit(X)
            title = f"degree {degree}: {name}"
            panels.append((title, sweep(fit.family_, grid, X, [fit.level_])))
            print(title, nu_property(fit, X))
    figure = outlines_figure(panels, X, None, "level")
    figure.for_each_trace(lambda trace: trace.update(showlegend=False))
    save(figure, "balls", height=340)


if __name__ == "__main__":
    fractions()
    in_between()
    bounds()
    variants()
    balls()
