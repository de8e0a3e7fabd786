"""
The whole solution path
=======================

The coefficients of a one-class SVM are piecewise linear in the level λ. `OneClassPath` follows
every breakpoint, so the solution at any level is exact.
"""

import matplotlib.pyplot as plt
import numpy as np

from nestviz import OneClassPath, make_sample

X = make_sample("banana", random_state=0, n=60).X
path = OneClassPath(sigma=0.5).fit(X)
print(f"{len(path.family_.levels)} breakpoints, largest duality gap {path.duality_gap_:.1e}")

# %%
# Each line is the coefficient of one training point. At its upper bound 1/n a point is outside the
# set, at zero it is strictly inside, and between the two it lies on the boundary.
levels = np.linspace(path.family_.levels[0], path.family_.levels[-1], 400)
coefficients, _ = path.family_.coefficients_at(levels)

figure, axis = plt.subplots(figsize=(8, 4), layout="constrained")
axis.plot(levels, coefficients, linewidth=0.8)
axis.set(xlabel="level λ", ylabel="coefficient α")
