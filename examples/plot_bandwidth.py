"""
Choose the bandwidth by minimum integrated volume
=================================================

Without labels, a good family of sets holds much mass in little volume. The integrated volume is the
area under the curve of volume against held-out mass; the width with the smallest value is chosen.
"""

import matplotlib.pyplot as plt

from nestviz import NestedOneClassSVM, make_sample
from nestviz.analysis import select_bandwidth
from nestviz.drawing import draw_sets

X = make_sample("multi", random_state=0, n=200).X
selection = select_bandwidth(X, NestedOneClassSVM(), random_state=0)
print(f"chosen width: {selection.sigma:.2f}")

# %%
# The curve has a minimum between widths that are too small, whose sets break into pieces around the
# training points, and widths that are too large, whose sets waste volume.
figure, left = plt.subplots(figsize=(6, 4), layout="constrained")
left.errorbar(selection.sigmas, selection.values, selection.errors, marker="o", markersize=3)
left.axvline(selection.sigma, linestyle="--", color="0.5")
left.set(xscale="log", xlabel="width σ", ylabel="integrated volume")

# %%
# The sets of the chosen width.
sets = draw_sets(NestedOneClassSVM(selection.sigma).fit(X).family_, X)
