"""Players that pages of the manual embed in place of pictures: play, zoom, and point anywhere."""

from collections.abc import Callable

from nestviz import (
    CostSensitivePath,
    IndependentOneClassSVM,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    QuantileOneClassSVM,
    make_sample,
)
from nestviz.kernels import auto_sigma
from nestviz.notebook import Player, play


def families() -> Player:
    """Sets of a one-class SVM beside nested ones."""
    X = make_sample("ring", 0, n=150).X
    sigma = auto_sigma(X)
    found = {
        "One-class SVM": OneClassPath(sigma).fit(X),
        "Nested one-class SVM": NestedOneClassSVM(sigma).fit(X),
    }
    return play(found, X, title="A ring, by two methods")


def two_classes() -> Player:
    """Positive sets of a cost-sensitive SVM beside nested ones."""
    data = make_sample("banana", 0, n=160)
    sigma = auto_sigma(data.X)
    found = {
        "Cost-sensitive SVM": CostSensitivePath(sigma, 0.1).fit(data.X, data.y),
        "Nested cost-sensitive SVM": NestedCostSensitiveSVM(sigma, 0.1, 11).fit(data.X, data.y),
    }
    return play(found, data.X, data.y, title="Two classes over the cost asymmetry")


def quantiles() -> Player:
    """Sets of given mass: independent ones beside those of the q-OCSVM."""
    X = make_sample("banana", 0, n=150).X
    sigma, masses = auto_sigma(X), [k / 10 for k in range(1, 10)]
    found = {
        "Independent SVMs": IndependentOneClassSVM(sigma, masses).fit(X),
        "q-OCSVM": QuantileOneClassSVM(sigma, masses).fit(X),
    }
    return play(found, X, levels=masses, title="Sets of given mass")


EXPLORERS: dict[str, Callable[[], Player]] = {
    "families-explorer": families,
    "two-classes-explorer": two_classes,
    "quantiles-explorer": quantiles,
}
"""Names of the files, and what makes them."""
