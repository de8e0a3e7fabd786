"""
Rank outliers
=============

The outlier score of a point is the level of the smallest set that contains it. With a nested family
there is exactly one such level, so the ranking is unambiguous.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor

from nestviz import NestedOneClassSVM, make_sample
from nestviz.analysis import detection_auc, flag_outliers, outlier_ranking

sample = make_sample("outliers", random_state=0)
X, known = sample.X, sample.y == -1
ranking = outlier_ranking(NestedOneClassSVM(sigma="miv").fit(X).family_, X)
flags = flag_outliers(ranking, contamination=known.mean())

# %%
# Compare with two detectors of scikit-learn.
forest = IsolationForest(random_state=0).fit(X)
factor = LocalOutlierFactor().fit(X)
print(f"nested one-class SVM   {detection_auc(ranking, known):.3f}")
print(f"isolation forest       {roc_auc_score(known, -forest.score_samples(X)):.3f}")
print(f"local outlier factor   {roc_auc_score(known, -factor.negative_outlier_factor_):.3f}")

# %%
# Darker points are more abnormal; rings mark the flagged ones.
figure, axis = plt.subplots(figsize=(6, 4.5), layout="constrained")
axis.scatter(*X.T, c=np.log(ranking.rank), cmap="viridis", s=16)
axis.scatter(*X[flags.flagged].T, s=70, facecolors="none", edgecolors="tab:red")
axis.set_aspect("equal")
