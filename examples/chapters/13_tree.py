"""Chapter 13: connected parts of nested sets form a tree."""

# %% [markdown]
# Branches with less than 4 % of the points are left out. The table has size and stability of each.

# %%
from nestviz import ParzenLevelSets, make_sample
from nestviz.analysis import cluster_tree
from nestviz.drawing import draw_sets

X = make_sample("multi", random_state=1, n=90).X
family = ParzenLevelSets().fit(X).family_
tree = cluster_tree(family, X).prune(0.04)
tree.to_table()

# %% [markdown]
# The set at a fifth of the highest level, and its connected parts.

# %%
level = 0.2 * tree.entry.max()
draw_sets(family, X, levels=[level])

# %%
clusters = tree.nodes_at(level)
print(len(clusters), "clusters with", [int(tree.size[node]) for node in clusters], "points")
for low, high in zip((0.1, 0.2, 0.4), (0.2, 0.4, 0.8), strict=True):
    below = tree.labels(tree.nodes_at(low * tree.entry.max()))
    above = tree.labels(tree.nodes_at(high * tree.entry.max()))
    for part in set(above) - {-1}:
        assert len(set(below[above == part])) == 1  # Each part lies in one part below
