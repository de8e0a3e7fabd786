"""
The smallest set of a given mass
================================

A minimum volume set of mass β is the smallest set that holds a share β of the distribution. It can
be learned as a classifier of the data against uniform reference points.
"""

import matplotlib.pyplot as plt
import numpy as np

from nestviz import Grid, MinimumVolumeSet, make_sample

train, test = (make_sample("multi", random_state=seed, n=200).X for seed in (0, 1))
grid = Grid.around(train)

figure, axes = plt.subplots(1, 3, figsize=(10, 3.6), layout="constrained")
for axis, beta in zip(axes, (0.5, 0.8, 0.95), strict=True):
    model = MinimumVolumeSet(beta=beta, random_state=0).fit(train)
    inside = model.predict(grid.points()).reshape(grid.shape)
    axis.contourf(grid.u, grid.v, inside, levels=[0, 2], alpha=0.3)
    axis.scatter(*train.T, s=6, color="0.3")
    held = np.mean(model.predict(test) == 1)
    axis.set(title=f"mass {beta:.0%} asked, {held:.0%} on new points", aspect="equal")
