"""Chapter 2: the one-class SVM is a weighted sum of kernels and a threshold."""

# %% [markdown]
# Solve the problem at three levels, and look at the coefficients: points inside have none, points
# outside have the largest possible one, 1/N.

# %%
import numpy as np

from nestviz import OneClassPath, make_sample
from nestviz.drawing import draw_sets

X = make_sample("banana", random_state=2, n=60).X
path = OneClassPath(sigma=0.7).fit(X)
levels = path.breakpoints_[0] * np.array([0.6, 0.3, 0.1])
draw_sets(path.family_, X, levels=levels, level_name="λ")

# %%
for level in levels:
    alpha, g = path.coefficients([level])[0], path.family_.values(X, [level])[0]
    assert np.all(alpha[g > 1e-9] == 0)
    assert np.allclose(alpha[g < -1e-9], 1 / len(X))
    print(f"λ = {level:.3f}: {np.count_nonzero(alpha)} of {len(X)} points have a coefficient")
