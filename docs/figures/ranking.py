"""Pictures for the page on ranking and nesting. Run: python docs/figures/ranking.py"""

from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz import Grid, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.analysis.level_sweep import sweep
from nestviz.analysis.nesting import nesting_report
from nestviz.analysis.outliers import outlier_ranking
from nestviz.analysis.ranking import ranking_scores
from nestviz.analysis.roc import auc_minus_disagreement, roc_curve
from nestviz.figures.families import outlines_figure
from nestviz.figures.nesting import intervals_figure, violation_figure, violation_map_figure
from nestviz.figures.outliers import outliers_figure
from nestviz.figures.ranking import ranking_figure
from nestviz.figures.roc import roc_figure
from nestviz.volume.reference import uniform_reference

IMAGES = Path(__file__).resolve().parents[1] / "images"
NAMES = ("x1", "x2")
LEVEL = "level λ"
FloatArray = NDArray[np.float64]
SIGMA = 0.5
N = 200


def save(figure: go.Figure, name: str, height: int = 460) -> None:
    figure.update_layout(paper_bgcolor="white", plot_bgcolor="white")
    figure.write_image(IMAGES / f"ranking-{name}.png", width=900, height=height, scale=1)


def split() -> tuple[FloatArray, FloatArray]:
    """Points to fit and points held out, drawn alike."""
    X = make_sample("multi", random_state=0, n=3 * N).X
    return X[:N], X[N:]


def rankings() -> None:
    train, fresh = split()
    uniform = uniform_reference(train, 512).points
    X = np.concatenate([fresh, uniform])
    y = np.repeat([1, -1], [len(fresh), len(uniform)])
    families = {
        "exact path": OneClassPath(SIGMA).fit(train).family_,
        "nested": NestedOneClassSVM(SIGMA).fit(train).family_,
    }
    save(ranking_figure(ranking_scores(families["exact path"], fresh)), "scores")
    save(roc_figure({name: roc_curve(f, X, y) for name, f in families.items()}), "roc")
    for name, family in families.items():
        area, scores = roc_curve(family, X, y).area, ranking_scores(family, X)
        difference = auc_minus_disagreement(family, X, y)
        print(f"{name}: AUC {area:.4f}, d {scores.disagreement:.4f}, AUC − d {difference:.4f}")


def outliers() -> None:
    X = make_sample("multi", random_state=0, n=N).X
    ranking = outlier_ranking(OneClassPath(SIGMA).fit(X).family_, X, Grid.around(X))
    row = int(ranking.order[1])
    held = ranking.contributions(row, k=6)
    figure = outliers_figure(ranking, X, NAMES, top=10, contributions=held, row=row)
    save(figure, "outliers", height=520)
    for i in ranking.order[:3]:
        print(
            f"rank {ranking.rank[i]}: level {ranking.level[i]:.3g}, score {ranking.score[i]:.3f}, "
            f"area {ranking.volume[i]:.2f}"
        )


def crossing() -> None:
    train, fresh = split()
    family = OneClassPath(SIGMA).fit(train).family_
    grid = Grid.around(train)
    report = nesting_report(family, grid, fresh)
    save(violation_map_figure(report, grid, train, NAMES), "violated", height=520)
    save(violation_figure(report, LEVEL), "violation")
    save(intervals_figure(report), "intervals", height=340)
    pair = sweep(family, grid, train, [report.worst.small, report.worst.large])
    save(outlines_figure([("the two sets that cross most", pair)], train, None, "λ"), "worst")
    print(f"area {report.share:.1%}, mass {report.mass:.1%}, worst {report.worst}")


def before_and_after() -> None:
    for name in ("mixture", "multi", "ring"):
        X = make_sample(name, random_state=0, n=N).X
        grid = Grid.around(X)
        path = OneClassPath(SIGMA).fit(X).family_
        nested = NestedOneClassSVM(SIGMA).fit(X).family_
        top = float(nested.first_level(X).max())
        levels = top * np.array([0.7, 0.4, 0.2, 0.08])
        panels = [
            (title, sweep(family, grid, X, levels))
            for title, family in (("path", path), ("union", path.union()), ("nested", nested))
        ]
        save(outlines_figure(panels, X, None, "λ"), f"sets-{name}", height=360)
        print(f"{name}: {nesting_report(path, grid).share:.1%} of the picture violated")


if __name__ == "__main__":
    rankings()
    outliers()
    crossing()
    before_and_after()
