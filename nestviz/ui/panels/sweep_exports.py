"""Exports of the Explore pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.families import SetFamily
from nestviz.ui.compute.entry_maps import ranking_of
from nestviz.ui.compute.methods import Fitted, top_level
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.panels.sweep import Shown
from nestviz.ui.player.data import SweepData

if TYPE_CHECKING:
    import pandas as pd

    from nestviz.ui.pages.solution_path.page import PathPair


def sweep_page(current: Current, shown: Shown) -> None:
    """Sweep, curves, table and models of the One class or the Two classes page."""
    figures: dict[str, Callable[[], Any]] = {}
    if shown.two_classes:
        figures = {
            "ROC": partial(_roc, current, shown),
            f"Two rankings: {shown.specs[0].title}": partial(
                _rankings, current, shown.fits[0].family
            ),
        }
    panel.show(
        current,
        name="two-classes" if shown.two_classes else "one-class",
        code=scripts.sets_at(current, shown.specs, shown.level),
        figures=figures,
        tables={"points": partial(points_table, current, shown.fits, shown.level)},
        models=models(shown.fits),
        sweep=partial(still, shown),
    )


def solution_path(current: Current, pair: PathPair, level: float) -> None:
    """Figure, table and models of the Solution path page."""
    panel.show(
        current,
        name="solution-path",
        code=scripts.solution_path(current, pair.path.spec, pair.nested.spec, level),
        figures={"Coefficients": partial(_coefficients, pair, level)},
        tables={"coefficients at the levels": partial(_coefficient_table, pair, level)},
        models={
            "Solution path": partial(getattr, pair.path, "estimator"),
            "Nested SVM": partial(getattr, pair.nested, "estimator"),
        },
    )


def models(fits: Sequence[Fitted]) -> dict[str, Callable[[], Any]]:
    """The estimators behind the methods; a union is made from its estimator's own sets."""
    return {fitted.spec.title: partial(getattr, fitted, "estimator") for fitted in fits}


def still(shown: Shown) -> SweepData:
    """The sweep as it stands: the frame at rest, with what is switched on."""
    return replace(shown.content, start=shown.frame, shown=shown.state.shown, autoplay=False)


def points_table(current: Current, fits: Sequence[Fitted], level: float) -> Any:
    """One row per point: where it is, and what each family says about it.

    Parameters
    ----------
    current : Current
    fits : sequence of Fitted
        Those of one class rank outliers (rank 1 = most abnormal).
    level : float
        At which membership is told.

    Returns
    -------
    DataFrame
    """
    import pandas as pd

    source, data = current.source, current.fitted
    columns: dict[str, Any] = {"point": np.arange(data.n)}
    columns |= {name: source.X[:, j] for j, name in enumerate(source.feature_names)}
    if data.y is not None:
        columns["class"] = data.y
    frame = pd.DataFrame(columns)
    return pd.concat([frame, *(_family_columns(f, data.X, level) for f in fits)], axis=1)


def _family_columns(fitted: Fitted, X: np.ndarray, level: float) -> pd.DataFrame:
    import pandas as pd

    title, family = fitted.spec.title, fitted.family
    told: dict[str, Any] = {
        f"{title}: first level": family.first_level(X),
        f"{title}: last level": family.last_level(X),
        f"{title}: inside at {level:.6g}": family.contains(X, level).astype(int),
    }
    if not fitted.spec.two_classes:
        ranking = ranking_of(family, X, top_level(X, fitted.spec.sigma))
        told |= {f"{title}: score": ranking.score, f"{title}: rank": ranking.rank}
    return pd.DataFrame(told)


def _roc(current: Current, shown: Shown) -> Any:
    from nestviz.analysis.roc import roc_curve
    from nestviz.figures.roc import mark_operating_points, roc_figure

    data = current.fitted
    curves = {
        fitted.spec.title: roc_curve(fitted.family, data.X, np.asarray(data.y))
        for fitted in shown.fits
    }
    return mark_operating_points(roc_figure(curves), list(curves.values()), shown.level)


def _rankings(current: Current, family: SetFamily) -> Any:
    from nestviz.analysis.ranking import ranking_scores
    from nestviz.figures.ranking import ranking_figure

    return ranking_figure(ranking_scores(family, current.fitted.X))


def _coefficients(pair: PathPair, level: float) -> Any:
    from nestviz.figures.solution_path import path_figure

    levels, path = pair.sampled(), pair.path.estimator
    panels = [
        ("un-nested path", levels, path.coefficients(levels)),
        ("nested", pair.nodes, pair.nested.estimator.alpha_),
    ]
    return path_figure(panels, pair.level_name, level, path.breakpoints_)


def _coefficient_table(pair: PathPair, level: float) -> Any:
    """Coefficients of every point at the level in view and at those of the nested SVM."""
    import pandas as pd

    levels, nested = np.append(level, pair.nodes), pair.nested.estimator
    names = [f"path: {pair.level_name} = {node:.6g}" for node in levels]
    table = pd.DataFrame(pair.path.estimator.coefficients(levels).T, columns=names)
    nodes = [f"nested: {pair.level_name} = {node:.6g}" for node in pair.nodes]
    both = pd.concat([table, pd.DataFrame(nested.alpha_.T, columns=nodes)], axis=1)
    both.insert(0, "point", np.arange(len(both)))
    return both
