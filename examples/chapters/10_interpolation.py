"""Chapter 10: how many levels are enough."""

# %% [markdown]
# Nested SVMs with few levels against one with 81: the share of the plane in which their sets
# differ, level by level.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import Grid, NestedOneClassSVM, make_sample

X = make_sample("banana", random_state=2, n=40).X
plane = Grid.around(X, resolution=80)
models = {count: NestedOneClassSVM(0.7, count).fit(X) for count in (3, 5, 11, 21, 81)}
levels = np.linspace(0.98, 0.02, 40) * models[3].levels_[0]
inside = {count: model.family_.values(plane, levels) >= 0 for count, model in models.items()}
differences = {count: (inside[count] != inside[81]).mean(axis=1) for count in (3, 5, 11, 21)}
figure, axis = plt.subplots(figsize=(7, 4), layout="constrained")
for count, values in differences.items():
    axis.plot(levels, values, label=f"M = {count}, mean {values.mean():.2%}")
axis.set(xlabel="level λ", ylabel="differs from M = 81")
axis.legend()

# %% [markdown]
# Few or many, each family is nested at every level, also between its own.

# %%
means = [values.mean() for values in differences.values()]
assert means == sorted(means, reverse=True)
assert not any(model.family_.violations(plane).any() for model in models.values())
