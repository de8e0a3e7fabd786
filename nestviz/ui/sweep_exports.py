"""What the Explore pages offer to take home."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.families import SetFamily
from nestviz.ui import cache, methods, recipes, take_home
from nestviz.ui.components.sweep import SweepData
from nestviz.ui.current import Current
from nestviz.ui.methods import ONE_CLASS, TWO_CLASS, Spec
from nestviz.ui.sweep_view import Shown

if TYPE_CHECKING:
    import pandas as pd

    from nestviz.ui.path_view import PathPair

Families = dict[str, SetFamily]


def one_class(current: Current, specs: Sequence[Spec], shown: Shown) -> None:
    """Sweep, table and models of the One class page."""
    data = current.fitted
    families = {
        ONE_CLASS[spec.method].title: cache.one_class_fit(data.fingerprint, data, spec).family
        for spec in specs
    }
    take_home.show(
        current,
        name="one-class",
        code=recipes.one_class(current, specs, shown.level),
        tables={"points": partial(points_table, current, families, shown.level, ranked=True)},
        models=_models(current, specs, labels=False),
        sweep=partial(still, shown),
    )


def two_class(current: Current, specs: Sequence[Spec], shown: Shown) -> None:
    """Sweep, curves, table and models of the Two classes page."""
    data = current.fitted
    families = {
        TWO_CLASS[spec.method].title: cache.two_class_fit(data.fingerprint, data, spec).family
        for spec in specs
    }
    first = next(iter(families))
    take_home.show(
        current,
        name="two-classes",
        code=recipes.two_class(current, specs, shown.level),
        figures={
            "ROC": partial(_roc, current, families, shown.level),
            f"Two rankings: {first}": partial(_rankings, current, families[first]),
        },
        tables={"points": partial(points_table, current, families, shown.level, ranked=False)},
        models=_models(current, specs, labels=True),
        sweep=partial(still, shown),
    )


def solution_path(
    current: Current, pair: PathPair, level: float, spec: Spec, *, labels: bool
) -> None:
    """Figure, table and models of the Solution path page.

    ``spec`` says how both were fitted; its method is not looked at.
    """
    lam = spec.lam if labels else None
    take_home.show(
        current,
        name="solution-path",
        code=recipes.solution_path(current, spec.sigma, spec.levels, lam, level),
        figures={"Coefficients": partial(_coefficients, pair, level)},
        tables={"coefficients at the levels": partial(_coefficient_table, pair, level)},
        models={"Solution path": lambda: pair.path, "Nested SVM": lambda: pair.nested},
    )


def still(shown: Shown) -> SweepData:
    """The sweep as it stands: the frame at rest, with what is switched on."""
    return replace(shown.content, start=shown.frame, shown=shown.state.shown, autoplay=False)


def points_table(current: Current, families: Families, level: float, *, ranked: bool) -> Any:
    """One row per point: where it is, and what each family says about it.

    Parameters
    ----------
    current : Current
    families : dict of title to SetFamily
    level : float
        At which membership is told.
    ranked : bool
        Whether the families rank outliers (rank 1 = most abnormal).

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
    parts = [_family_columns(title, f, data.X, level, ranked) for title, f in families.items()]
    return pd.concat([frame, *parts], axis=1)


def _family_columns(
    title: str, family: SetFamily, X: np.ndarray, level: float, ranked: bool
) -> pd.DataFrame:
    import pandas as pd

    from nestviz.analysis.outliers import outlier_ranking

    told: dict[str, Any] = {
        f"{title}: first level": family.first_level(X),
        f"{title}: last level": family.last_level(X),
        f"{title}: inside at {level:.6g}": family.contains(X, level).astype(int),
    }
    if ranked:
        ranking = outlier_ranking(family, X)
        told |= {f"{title}: score": ranking.score, f"{title}: rank": ranking.rank}
    return pd.DataFrame(told)


def _models(
    current: Current, specs: Sequence[Spec], *, labels: bool
) -> dict[str, Callable[[], Any]]:
    """The estimators behind the methods; a union is made from its estimator's own sets."""
    registry = TWO_CLASS if labels else ONE_CLASS
    data = current.fitted
    y = data.y if labels else None
    return {registry[spec.method].title: partial(methods.fitted, spec, data.X, y) for spec in specs}


def _roc(current: Current, families: Families, level: float) -> Any:
    from nestviz.analysis.roc import roc_curve
    from nestviz.figures.roc import mark_operating_points, roc_figure

    data = current.fitted
    curves = {title: roc_curve(f, data.X, np.asarray(data.y)) for title, f in families.items()}
    return mark_operating_points(roc_figure(curves), list(curves.values()), level)


def _rankings(current: Current, family: SetFamily) -> Any:
    from nestviz.analysis.ranking import ranking_scores
    from nestviz.figures.ranking import ranking_figure

    return ranking_figure(ranking_scores(family, current.fitted.X))


def _coefficients(pair: PathPair, level: float) -> Any:
    from nestviz.figures.solution_path import path_figure

    levels = np.linspace(1e-6 * pair.top, pair.top, 300)
    panels = [
        ("un-nested path", levels, pair.path.coefficients(levels)),
        ("nested", pair.nodes, pair.nested.alpha_),
    ]
    return path_figure(panels, pair.level_name, level, pair.path.breakpoints_)


def _coefficient_table(pair: PathPair, level: float) -> Any:
    """Coefficients of every point at the level in view and at those of the nested SVM."""
    import pandas as pd

    levels = np.append(level, pair.nodes)
    names = [f"path: {pair.level_name} = {node:.6g}" for node in levels]
    table = pd.DataFrame(pair.path.coefficients(levels).T, columns=names)
    nested = [f"nested: {pair.level_name} = {node:.6g}" for node in pair.nodes]
    both = pd.concat([table, pd.DataFrame(pair.nested.alpha_.T, columns=nested)], axis=1)
    both.insert(0, "point", np.arange(len(both)))
    return both
