"""Chapter 14: sets that should hold given shares of the data."""

# %% [markdown]
# Nine quantiles, solved one by one and in one problem.

# %%
import numpy as np

from nestviz import Grid, IndependentOneClassSVM, QuantileOneClassSVM, make_sample
from nestviz.analysis import coverage_ratio
from nestviz.notebook import play

X, new = make_sample("banana", 2, n=80).X, make_sample("banana", 7, n=400).X
quantiles = np.round(np.linspace(0.1, 0.9, 9), 1)
models = {
    "one by one": IndependentOneClassSVM(0.6, quantiles).fit(X),
    "q-OCSVM": QuantileOneClassSVM(0.6, quantiles).fit(X),
}
play(models, X, levels=quantiles)

# %% [markdown]
# Shares of new points inside, and whether the sets are nested.

# %%
for name, model in models.items():
    masses = coverage_ratio(model, new).masses
    print(name, [f"{q:.0%}: {m:.0%}" for q, m in zip(quantiles, masses, strict=True)])
plane = Grid.around(X)
assert models["one by one"].family_.violations(plane).any()
assert not models["q-OCSVM"].family_.violations(plane).any()
