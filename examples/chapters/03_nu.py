"""Chapter 3: the two promises of ν."""

# %% [markdown]
# Along the whole path, count the points outside and those with a coefficient: ν lies between the
# two shares.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import OneClassPath, make_sample
from nestviz.analysis import nu_curve

figure, axes = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
for axis, n in zip(axes, (40, 400), strict=True):
    curve = nu_curve(OneClassPath(sigma=0.7).fit(make_sample("banana", 0, n=n).X))
    axis.plot(curve.nu, curve.support_vectors, label="support vectors")
    axis.plot(curve.nu, curve.nu, linestyle=":", color="0.4", label="ν")
    axis.plot(curve.nu, curve.outliers, label="outliers")
    axis.set(xlabel="ν", title=f"{n} points")
    axis.legend()
    assert np.all(curve.outliers <= curve.nu + 1e-9)
    assert np.all(curve.support_vectors >= curve.nu - 1e-9)
