"""
Sets that cross, and sets that are nested
=========================================

A one-class SVM is fitted separately at every level, so a smaller set need not lie inside a larger
one. The nested one-class SVM solves all levels together and keeps them nested.
"""

import matplotlib.pyplot as plt
import numpy as np

from nestviz import Grid, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.figures import draw_sets

X = make_sample("multi", random_state=0, n=200).X
sigma = 0.5
models = {
    "one-class SVM": OneClassPath(sigma).fit(X),
    "nested one-class SVM": NestedOneClassSVM(sigma).fit(X),
}

# %%
# Compare the same fractions of the top level.
top = models["one-class SVM"].family_.levels[-1]
levels = top * np.array([0.02, 0.1, 0.3, 0.6])

figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for axis, (name, model) in zip(axes, models.items(), strict=True):
    draw_sets(model.family_, X, levels, ax=axis)
    crossing = model.family_.violations(Grid.around(X)).mean()
    axis.set_title(f"{name}: {crossing:.1%} of the plane violates nesting")
plt.show()
