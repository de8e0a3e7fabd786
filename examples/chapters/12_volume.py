"""Chapter 12: the width with the least integrated volume."""

# %% [markdown]
# The area under the curve of volume against mass, by cross-validation, for twelve widths.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import NestedOneClassSVM, make_sample, select_bandwidth
from nestviz.kernels import median_distance

X = make_sample("multi", random_state=0, n=80).X
sigmas = median_distance(X) * np.geomspace(0.05, 1.5, 12)
found = select_bandwidth(X, NestedOneClassSVM(levels=7), sigmas)
figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
axis.errorbar(found.sigmas, found.values, found.errors, marker="o")
axis.axvline(found.sigma, color="0.4", linestyle="--", label=f"least: σ = {found.sigma:.2f}")
axis.set(xscale="log", xlabel="σ", ylabel="integrated volume")
axis.legend()

# %%
assert sigmas[0] < found.sigma < sigmas[-1]
assert found.values[-1] > found.values[found.best]
assert found.values[0] > found.values[found.best]
