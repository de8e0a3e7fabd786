"""
Sets that cross, and sets that are nested
=========================================

A one-class SVM is fitted separately at every level, so a smaller set need not lie inside a larger
one. The nested one-class SVM solves all levels together and keeps them nested.
"""

import numpy as np

from nestviz import Grid, NestedOneClassSVM, OneClassPath, make_sample
from nestviz.drawing import draw_sets

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

families = {name: model.family_ for name, model in models.items()}
figure = draw_sets(families, X, levels=levels[::-1], level_name="λ")

# %%
# Count the part of the plane where a location enters and leaves again.
for name, family in families.items():
    print(f"{name}: {family.violations(Grid.around(X)).mean():.2%} of the plane violates nesting")
