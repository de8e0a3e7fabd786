"""Chapter 16: a bound on the error that needs no optimum."""

# %% [markdown]
# The decomposition, one point at a time: duality gap and true error after each step.

# %%
import matplotlib.pyplot as plt
import numpy as np

from nestviz import GaussianKernel, NestedOneClassSVM, make_sample
from nestviz.analysis.decomposition import decompose

X = make_sample("banana", random_state=2, n=40).X
model = NestedOneClassSVM(0.7, 5, tol=1e-12).fit(X)
levels = model.levels_[:-1]
best = NestedOneClassSVM(0.7, levels, tol=1e-12).fit(X).objective_
steps = decompose(GaussianKernel(0.7).gram(X, X), levels, 120).steps
gaps = np.array([step.gap for step in steps])
errors = np.array([step.objective for step in steps]) - best
figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
axis.semilogy(gaps, label="duality gap")
axis.semilogy(np.maximum(errors, 1e-16), label="true error")
axis.set(xlabel="step", ylabel="objective above its minimum")
axis.legend()

# %%
assert np.all(errors <= gaps + 1e-12)
assert errors[-1] < errors[0] / 100
print(f"the fit reports a gap of {model.duality_gap_:.1e}")
