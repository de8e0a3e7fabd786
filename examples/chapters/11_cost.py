"""Chapter 11: what nesting costs on new points."""

# %% [markdown]
# Two classes, from weak to strong regularisation: the AUC of the plain and of the nested SVM on new
# points.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import CostSensitivePath, NestedCostSensitiveSVM, make_sample
from nestviz.analysis import auc

train, test = make_sample("banana", 0, n=100), make_sample("banana", 1, n=1000)
lams = np.geomspace(0.01, 10.0, 7)
areas = {}
for name, make in {
    "plain": lambda lam: CostSensitivePath(0.3, lam),
    "nested": lambda lam: NestedCostSensitiveSVM(0.3, lam, 11),
}.items():
    models = [make(lam).fit(train.X, train.y) for lam in lams]
    areas[name] = np.array([auc(model.family_, test.X, test.y) for model in models])
figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
for name, values in areas.items():
    axis.semilogx(lams, values, marker="o", label=name)
axis.set(xlabel="regularisation λ", ylabel="AUC on new points")
axis.legend()

# %% [markdown]
# Where regularisation is strong the two agree.

# %%
assert abs(areas["plain"][-1] - areas["nested"][-1]) < 0.002
assert np.abs(areas["plain"] - areas["nested"]).max() > 0.005
