"""Chapter 7: unions of the sets of a path."""

# %% [markdown]
# The path beside its successive unions. Hatched: lost by the path, kept by the union.

# %%
import numpy as np

from nestviz import Grid, OneClassPath, make_sample
from nestviz.notebook import play

X = make_sample("ring", random_state=0, n=120).X
family = OneClassPath(sigma=2.0).fit(X).family_
play({"one-class SVM": family, "its unions": family.union()}, X)

# %% [markdown]
# The union contains each set, is nested, and ranks by the first set.

# %%
plane, union = Grid.around(X, resolution=80), family.union()
level = 0.1 * family.levels[-1]
assert np.all(family.contains(plane, level) <= union.contains(plane, level))
assert not union.violations(plane).any()
assert np.array_equal(union.first_level(X), family.first_level(X))
print(f"violated by the path: {family.violations(plane).mean():.1%} of the plane")
