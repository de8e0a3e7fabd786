"""Chapter 8: the ratio of coefficient and level must not fall."""

# %% [markdown]
# One line per point: α/λ from high levels to low ones, solved level by level and together.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import NestedOneClassSVM, OneClassPath, make_sample

X = make_sample("banana", random_state=2, n=40).X
nested, path = NestedOneClassSVM(0.7, 9).fit(X), OneClassPath(0.7).fit(X)
levels = nested.levels_[:-1]
ratios = {
    "one by one": path.coefficients(levels) / levels[:, None],
    "together": nested.alpha_[:-1] / levels[:, None],
}
figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for axis, (name, ratio) in zip(axes, ratios.items(), strict=True):
    axis.plot(levels, ratio, color="tab:blue", linewidth=0.8)
    falls = (ratio[1:] < ratio[:-1] - 1e-9).any(axis=0)
    axis.set(xlabel="level λ", ylabel="α/λ", title=f"{name}: {falls.sum()} of 40 lines fall")
    axis.invert_xaxis()

# %%
assert (np.diff(ratios["one by one"], axis=0) < -1e-6).any()
assert (np.diff(ratios["together"], axis=0) >= -1e-9).all()
