"""
Cluster tree of a nested family
===============================

The connected components of nested sets form a tree: as the level rises, components shrink, split
and vanish. Pruning removes branches that hold too few points.
"""

import matplotlib.pyplot as plt

from nestviz import ParzenLevelSets, make_sample
from nestviz.analysis import cluster_tree

X = make_sample("multi", random_state=0, n=300).X
family = ParzenLevelSets(sigma=0.4).fit(X).family_
tree = cluster_tree(family, X).prune(min_mass=0.05)
print(f"{len(tree)} branches, {len(tree.leaves)} leaves")

# %%
# The most stable branches are the clusters; −1 marks points that belong to none of them.
labels = tree.labels(tree.select())

figure, axis = plt.subplots(figsize=(6, 4.5), layout="constrained")
for label in sorted(set(labels.tolist())):
    rows = labels == label
    name = "no cluster" if label < 0 else f"cluster {label}"
    axis.scatter(*X[rows].T, s=14, color="0.7" if label < 0 else None, label=name)
axis.set_aspect("equal")
axis.legend()
