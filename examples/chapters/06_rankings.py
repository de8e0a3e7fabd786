"""Chapter 6: one family, two rankings."""

# %% [markdown]
# Each line is a point: on the left its rank by the first set that contains it, on the right by the
# set from which on it stays inside.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import rankdata

from nestviz import NestedOneClassSVM, OneClassPath, make_sample
from nestviz.analysis import ranking_scores

X, new = make_sample("ring", 0, n=100).X, make_sample("ring", 1, n=60).X
figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
shares = {}
for axis, model in zip(axes, (OneClassPath(1.5), NestedOneClassSVM(1.5)), strict=True):
    scores = ranking_scores(model.fit(X).family_, new)
    ends = np.stack([rankdata(-scores.s_plus), rankdata(-scores.s_minus)])
    axis.plot([0, 1], ends, color="tab:blue", linewidth=0.8)
    shares[type(model).__name__] = scores.disagreement
    axis.set(title=f"{type(model).__name__}: {scores.disagreement:.0%} ambiguous", ylabel="rank")
    axis.set_xticks([0, 1], ["by s₊", "by s₋"])
    axis.invert_yaxis()
assert shares["OneClassPath"] > 0
assert shares["NestedOneClassSVM"] == 0
