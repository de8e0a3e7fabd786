"""Chapter 1: true level sets against estimated ones."""

# %% [markdown]
# Points are drawn from a hill with three tops. Parzen windows estimate the hill by a bump on every
# point; the sets below hold a quarter, half and 90 % of the points.

# %%
import numpy as np

from nestviz import Grid, ParzenLevelSets, make_sample
from nestviz.drawing import draw_sets

X = make_sample("multi", random_state=0, n=200).X
family = ParzenLevelSets().fit(X).family_
entry = family.first_level(X)
levels = np.quantile(entry, [0.75, 0.5, 0.1])
draw_sets(family, X, levels=levels, level_name="level")

# %% [markdown]
# Level sets of one function are nested: a lower level only adds locations.

# %%
plane = Grid.around(X)
small, middle, large = (family.contains(plane, level) for level in levels)
assert np.all(small <= middle)
assert np.all(middle <= large)
[f"{inside.mean():.1%} of the plane" for inside in (small, middle, large)]
