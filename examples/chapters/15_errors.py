"""Chapter 15: one knob for each of the two errors."""

# %% [markdown]
# The 2ν-SVM over ν₊, with ν₋ fixed: both error rates on new points.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import DualNuSVM, make_sample

train, test = make_sample("banana", 0, n=200), make_sample("banana", 1, n=1000)
nus = np.linspace(0.2, 0.9, 8)
rates = np.array(
    [
        DualNuSVM(sigma=0.6, nu_plus=nu, nu_minus=0.5)
        .fit(train.X, train.y)
        .error_rates(test.X, test.y)
        for nu in nus
    ]
)
figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
for values, name in zip(rates.T, ("false alarms", "misses"), strict=True):
    axis.plot(nus, values, marker="o", label=name)
axis.set(xlabel="ν₊", ylabel="rate on new points")
axis.legend()

# %% [markdown]
# A smaller ν₊ protects class +1: fewer misses, more false alarms.

# %%
assert rates[0, 1] < rates[-1, 1]
assert rates[0, 0] > rates[-1, 0]
