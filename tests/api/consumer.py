"""A program of somebody else, with types: `mypy --strict` must accept it."""

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

import nestviz
import nestviz.analysis
from nestviz import NestedOneClassSVM, Progress, SetFamily
from nestviz.analysis import cluster_tree, integrated_volume, outlier_ranking
from nestviz.estimators import ErrorTable, NeymanPearsonClassifier, error_table
from nestviz.volume import select_bandwidth

X = np.random.default_rng(0).normal(size=(60, 2))
y = np.where(X[:, 0] > 0, 1, -1)


def watch(progress: Progress) -> bool:
    return progress.done > 100


plain: nestviz.OneClassSVM = nestviz.OneClassSVM().fit(X)
nested: NestedOneClassSVM = NestedOneClassSVM(sigma="auto", levels=5).fit(X, callback=watch)
family: SetFamily = nested.family_
decisions: NDArray[np.float64] = plain.decision_function(X)
tree = nestviz.analysis.cluster_tree(family, X)
again = cluster_tree(family, X)
ranking = outlier_ranking(family, X)
volume = integrated_volume(X, nestviz.ParzenLevelSets(0.5))
sigma: float = select_bandwidth(X, nestviz.ParzenLevelSets(), [0.3, 1.0]).sigma
classifier = NeymanPearsonClassifier(0.2, nu_grid=3, sigmas=[1.0], cv=KFold(3)).fit(X, y)
rate: float = classifier.estimated_.false_alarm
table: ErrorTable = error_table(X, y, [0.5], [0.5], [1.0], cv=3, random_state=1)
svm = nestviz.DualNuSVM(sigma=1.0, nu_plus=0.3, nu_minus=0.5).fit(X, y)
intercept: float = svm.intercept_
version: str = nestviz.__version__
